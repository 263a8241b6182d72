import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EngineName, ENGINES } from '../../conformance/store-under-test.ts'
import { inSuite } from '../../support/run/suite.ts'
import { type AttackedGateway, attackedGateway } from '../attacked-gateway.ts'
import { readSettings } from '../settings.ts'
import { MONEY_CASES } from './all-cases.ts'
import { isPlayed } from './leaving-cases.ts'
import { titleOf } from './money-case.ts'
import { openModels } from './open-models.ts'
import { playCase, type Played, playOn, useHonestly } from './play-cases.ts'
import { PURSES } from './purses.ts'
import { writeTable } from './table.ts'
import { breaches } from './verdict.ts'

const { isLong, running } = readSettings(process.env)
const engines = running !== null || !isLong ? ENGINES.slice(0, 1) : ENGINES

/** The cases of the short suite: one of each family, of another wire each time. */
const ofEachFamily = Array.from(
  Map.groupBy(MONEY_CASES.filter(isPlayed), ({ family }) => family).values(),
  (cases, index) => cases[index % cases.length],
).filter((one) => one !== undefined)
const CASES = isLong
  ? MONEY_CASES.filter(isPlayed)
  : inSuite({ long: MONEY_CASES.filter(isPlayed), short: ofEachFamily })

/** One case of each kind on each purse; in the short form only one that is streamed and one that is not. */
function onPurses() {
  const kinds = Map.groupBy(MONEY_CASES, ({ family, bound, leaves, isStream }) => {
    return isLong ? `${family} ${bound} ${leaves} ${isStream}` : `${isStream}`
  })
  const cases = [...kinds.values()].flatMap((ofKind) => ofKind.slice(0, 1))
  return PURSES.flatMap(([purse, open]) => cases.map((one) => ({ purse, open, one, title: titleOf(one) })))
}

const byEngine = new Map<EngineName, Played[]>()

describe.each(engines)('on %s', (engine) => {
  let gateway: AttackedGateway
  const played: Played[] = []
  byEngine.set(engine, played)

  beforeAll(async () => {
    gateway = await attackedGateway(engine)
    await openModels(gateway)
    await useHonestly(gateway)
  })
  afterAll(() => gateway.close())

  test.for(CASES.map((one) => [titleOf(one), one] as const))('%s', async ([, one]) => {
    const result = await playCase(one, gateway)
    played.push(result)
    expect(breaches(result)).toEqual([])
  })

  test.for(onPurses())('of $purse: $title', async ({ open, one }) => {
    const result = await playOn(await open(gateway), one, gateway)
    expect(breaches(result)).toEqual([])
  })

  test('the books are exact after all of it', async () => {
    expect(await gateway.checkLedger()).toBeNull()
  })
})

if (process.env['TOLLGATE_WRITE_DOCS'] === '1' && isLong && running === null) {
  test('the table of the documentation is written', () => writeTable(byEngine))
}
