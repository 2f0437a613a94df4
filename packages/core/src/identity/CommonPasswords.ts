/**
 * Passwords that obey the rules and are guessed first. From Mark Burnett's ten million passwords, sorted by how many
 * people have them, which are in the public domain and kept by OWASP SecLists (Passwords/Common-Credentials): those of
 * the first 400,000 that obey the rules as they are, and the hundred most common words of six letters or more, in the
 * ways in which people dress a word up for such rules. Imports nothing.
 */

/** In lower case. */
const asTheyAre: ReadonlySet<string> = new Set(
  (
    "l58jkdjp! p@ssw0rd !qaz2wsx 1qaz!qaz 1qaz@wsx zaq!2wsx !qazxsw2 nick1234-rem936 xxpa33bq.adna !qaz1qaz " +
    "g00dpa$$w0rd jhon@ta2011 nloq_010101 1qazzaq! zaq1zaq! ab.1234567 zaq!xsw2 pa$$w0rd mosquito@13 " +
    "onlyone4-myxworld euq8pvhrnpssdymizqx+ dybik.66. az.1996. art_06.05 al#ks3!ksj0xx zaq1!qaz qwerty1! p@$$w0rd " +
    "password1! f5_mk6vn expl0it|ng abcd!efg!123 zaq!1qaz xx85.enk7a8m2 $tatyana09$ samantha1! $rfv4rfv !qazzaq1 " +
    "!qazxsw2#edcvfr4 pw_310la p@55w0rd ..oo3xpzokk6 oml47#yw marco1997! m3hm3t_k juninho1999@ jack33_lwr9l " +
    "hengsha_2_23 gndb4b3$ gia^sox-291 gfhjkm_2 bmw_540_i bb33bb## azia-j64 5tgbbgt% 4c@j&$ss 2wsx#edc 1password! " +
    "17-jan-78 zxcvbn123! zachary1! @yza6y9adubadu @ysu9e2exunupa ysqn*axt5okp yr7$jiro ynajawave$u6y4 " +
    "y9y%aty3epyxuq xxo03olo.qhz2 xx0trl.ebiq5e xsw2#edc x-rated9437 x-rated5562 x-rated1893 $xearoms8upwybts " +
    "ww3ymb8f$fhr wolki1h%ig wl7320jq!8 whigginb1-s739rht8 war3xpansion_ w8sted_r0x w!2e3b#pszd9fxav w0mbatdrug$ " +
    "vqgbshd5bmmw$lup vixens.comreaper999mor098go vcw19uno3o!p v9actnwqoy$y v6#wnsbldes2!7zg uxude%u7uqeryg " +
    "umyzu@apy7ytyq u@ely2y6u#ery4 tm3a..m2"
  ).split(" ")
)

/** The hundred words, and three that installers set. */
const words: ReadonlySet<string> = new Set(
  (
    "password qwerty dragon baseball football monkey letmein shadow master qwertyuiop mustang michael superman " +
    "qazwsx killer jordan jennifer zxcvbnm asdfgh hunter buster soccer harley batman andrew tigger sunshine " +
    "iloveyou charlie robert thomas hockey ranger daniel starwars klaster george computer michelle jessica pepper " +
    "zxcvbn freedom maggie ginger princess joshua cheese amanda summer ashley nicole chelsea matthew access " +
    "yankees dallas austin thunder taylor matrix william corvette martin heather secret merlin diamond gfhjkm " +
    "hammer silver anthony justin bailey patrick internet scooter orange golfer cookie richard samantha bigdog " +
    "guitar jackson whatever mickey chicken sparky snoopy maverick phoenix camaro peanut morgan welcome falcon " +
    "cowboy ferrari samsung admin changeme default"
  ).split(" ")
)

/** Letters as people write them in passwords. */
const lettersOf: Readonly<Record<string, string>> = { "@": "a", $: "s", "0": "o", "1": "i", "3": "e", "5": "s" }

/** What follows the word: Password1!, P@ssw0rd!, Welcome@2024, Qwerty123#. */
const tail = /^[!@#$%&*?.]{0,2}\d{0,4}[!@#$%&*?.]{0,2}$/
const longestTail = 8

const isDressedWord = (password: string): boolean => {
  for (let end = Math.max(5, password.length - longestTail); end <= password.length; end++) {
    const word = password.slice(0, end).replace(/[@$0135]/g, (mark) => lettersOf[mark] ?? mark)
    if (words.has(word) && tail.test(password.slice(end))) return true
  }
  return false
}

/** Whether the password is one of those that are tried first. Case does not count. */
export const isCommonPassword = (password: string): boolean => {
  const given = password.toLowerCase()
  return asTheyAre.has(given) || isDressedWord(given)
}
