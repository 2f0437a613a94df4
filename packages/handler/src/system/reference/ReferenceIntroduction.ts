/**
 * The introduction as the reference page shows it: its first chapter opens the page, and each section of the others is
 * a tag without operations, which the renderer reads when it comes into view. As one text it took a browser half a
 * second to read before anything was shown.
 */
import type { ApiDocument } from "../ApiDocument.ts"

/** The name of a section among the tags; the renderer makes the place of a link of it. */
const tagOf = (heading: string): string => `about ${heading}`

/** Links to headings of the introduction, as links to the sections that they have become. */
const linked = (text: string): string => text.replaceAll("](#description/", "](#tag/about-")

const partsAt = (text: string, mark: string): ReadonlyArray<string> => text.split(new RegExp(`^${mark} `, "m"))

/** A heading's line, and what stands below it. */
const divided = (text: string): readonly [heading: string, below: string] => {
  const end = text.indexOf("\n")
  return [text.slice(0, end), text.slice(end).trim()]
}

/** What a chapter says before its first section stands in that section. */
const chapterOf = (chapter: string) => {
  const [opening = "", ...sections] = partsAt(chapter, "##")
  const [name, lead] = divided(opening)
  const tags = sections.map(divided).map(([heading, below], place) => ({
    name: tagOf(heading),
    "x-displayName": heading,
    description: place === 0 ? `${lead}\n\n${below}`.trim() : below
  }))
  return { name, tags }
}

/** The parts of a document that hold the introduction. */
export const referenceIntroduction = ({ info, tags, "x-tagGroups": groups }: ApiDocument) => {
  const [before = "", first = "", ...rest] = partsAt(linked(info.description), "#")
  const chapters = rest.map(chapterOf)
  return {
    info: { ...info, description: `${before}# ${first}` },
    tags: [...chapters.flatMap((chapter) => chapter.tags), ...tags],
    "x-tagGroups": [
      ...chapters.map((chapter) => ({ name: chapter.name, tags: chapter.tags.map(({ name }) => name) })),
      ...groups
    ]
  }
}
