import { describe, expect, it } from "vitest"
import { ReplicaWatch } from "../../src/replica/internal/ReplicaWatch.ts"

/** A watch whose replica has reached position 10 at once, at the moment 1,000. */
const caughtUp = () => {
  const watch = new ReplicaWatch(500)
  watch.await(10n, 1_000)
  watch.replayed(10n, 1_002)
  return watch
}

describe("the watch over a read replica", () => {
  it("does not read from it before it has been asked", () => {
    const watch = new ReplicaWatch(500)
    expect(watch.serves("store_1", 1)).toBe(false)
    expect(watch.state(1)).toMatchObject({ isServing: false, why: "it has not been asked yet", lagMillis: undefined })
  })

  it("reads from it once it has come as far as the primary was", () => {
    const watch = new ReplicaWatch(500)
    watch.await(10n, 1_000)
    expect(watch.replayed(9n, 1_001)).toBe(false)
    expect(watch.serves("store_1", 1_001)).toBe(false)
    expect(watch.replayed(10n, 1_500)).toBe(true)
    expect(watch.serves("store_1", 1_500)).toBe(true)
    expect(watch.state(1_500)).toMatchObject({ isServing: true, why: undefined, lagMillis: 500 })
  })

  it("leaves it when a position is not reached within the bound, and goes on waiting for that one", () => {
    const watch = caughtUp()
    watch.await(20n, 2_000)
    watch.replayed(19n, 2_500)
    expect(watch.state(2_500)).toMatchObject({ isServing: true, lagMillis: 500 })
    watch.replayed(19n, 2_501)
    expect(watch.isAwaiting).toBe(true)
    expect(watch.state(2_501)).toMatchObject({ isServing: false, why: "it lags", lagMillis: 501 })
  })

  it("stays away from one that reaches each position too late, and returns when it keeps up", () => {
    const watch = caughtUp()
    watch.await(20n, 2_000)
    watch.replayed(20n, 2_501)
    expect(watch.state(2_501)).toMatchObject({ isServing: false, why: "it lags", lagMillis: 501 })
    watch.await(30n, 3_000)
    watch.replayed(30n, 3_004)
    expect(watch.state(3_004)).toMatchObject({ isServing: true, why: undefined, lagMillis: 4 })
  })

  it("leaves it at the bound by itself, whether or not anybody looks meanwhile", () => {
    const watch = caughtUp()
    watch.await(20n, 2_000)
    expect([watch.serves("store_1", 2_500), watch.serves("store_1", 2_501)]).toEqual([true, false])
    expect(watch.state(2_501)).toMatchObject({ isServing: false, why: "it lags" })
  })

  it("leaves it when no look has come for the bound and a second: what it has seen is too old", () => {
    const watch = caughtUp()
    expect([watch.serves("store_1", 2_500), watch.serves("store_1", 2_501)]).toEqual([true, false])
    expect(watch.state(600_000)).toMatchObject({ isServing: false, why: "it was not looked at in time" })
    watch.await(10n, 600_000)
    watch.replayed(10n, 600_002)
    expect(watch.serves("store_1", 600_002)).toBe(true)
  })

  it("takes no idle primary for lag: its position is reached already", () => {
    const watch = caughtUp()
    watch.await(10n, 3_600_000)
    expect(watch.replayed(10n, 3_600_002)).toBe(true)
    expect(watch.state(3_600_002)).toMatchObject({ isServing: true, lagMillis: 2 })
  })

  it("does not read a store from it that was written here, until a position from after the write is reached", () => {
    const watch = caughtUp()
    watch.wrote("store_1", 1_500)
    expect([watch.serves("store_1", 1_500), watch.serves("store_2", 1_500)]).toEqual([false, true])
    // Asked for before the write.
    watch.await(11n, 1_400)
    watch.replayed(11n, 1_600)
    expect(watch.serves("store_1", 1_600)).toBe(false)
    watch.await(12n, 1_501)
    watch.replayed(12n, 1_700)
    expect(watch.serves("store_1", 1_700)).toBe(true)
  })

  it("counts a write for every store, once it would have to remember too many", () => {
    const watch = caughtUp()
    const serves = (...stores: ReadonlyArray<string>) => stores.map((storeId) => watch.serves(storeId, 1_602))
    for (let i = 0; i < 1_000; i++) watch.wrote(`store_${i}`, 1_500)
    expect(serves("store_999", "store_1000")).toEqual([false, true])
    watch.wrote("store_1000", 1_600)
    expect(serves("store_0", "store_5000")).toEqual([false, false])
    watch.await(12n, 1_601)
    watch.replayed(12n, 1_602)
    expect(serves("store_0", "store_1000", "store_5000")).toEqual([true, true, true])
  })

  it("forgets what it waited for when the replica cannot be asked, so that an old position is no lag later", () => {
    const watch = caughtUp()
    watch.await(20n, 2_000)
    watch.unfit("it does not answer")
    expect(watch.isAwaiting).toBe(false)
    expect(watch.state(2_000)).toMatchObject({ isServing: false, why: "it does not answer", lagMillis: undefined })
    watch.await(30n, 9_000)
    watch.replayed(30n, 9_001)
    expect(watch.state(9_001)).toMatchObject({ isServing: true, lagMillis: 1 })
  })

  it("counts who answered", () => {
    const watch = caughtUp()
    watch.answeredByReplica()
    watch.answeredByReplica()
    watch.answeredByPrimary()
    watch.askedAgain()
    expect(watch.state(1_002)).toMatchObject({ byReplica: 2, byPrimary: 1, askedAgain: 1 })
  })
})
