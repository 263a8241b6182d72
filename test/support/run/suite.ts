/**
 * The suite that runs. `npm test` is the short one, for every commit: every room, every family and every page once.
 * `npm run test:long` is everything, for a night and before a release: also the files that end with `.long.test.ts`, and
 * all cases where `inSuite` names fewer for the short one.
 */

/** How `test/long.ts` asks for the long suite: `TEST_SUITE=long`. */
export const isLongSuite = process.env['TEST_SUITE'] === 'long'

/** Whether a test file belongs to the long suite alone. */
export function isLongFile(path: string): boolean {
  return path.endsWith('.long.test.ts')
}

/** How many, how long or which cases: in the long suite, and in the short one. */
export function inSuite<Long, Short>(of: { readonly long: Long; readonly short: Short }): Long | Short {
  return isLongSuite ? of.long : of.short
}

/** All cases of a table in the long suite; in the short one the first and then each that is `every` further on. */
export function someInSuite<Case>(all: readonly Case[], every: number): readonly Case[] {
  return inSuite({ long: all, short: all.filter((_, at) => at % every === 0) })
}

/** How many random cases of a property: all in the long suite, a sixteenth in the short one. */
export function runsInSuite(all: number): number {
  return inSuite({ long: all, short: Math.ceil(all / 16) })
}

/** The short suite judges a change, so it asks the same each time. The long one searches: it asks something new. */
const SEED_OF_SHORT_SUITE = 785_788_458

/** The seed of random cases; null: another one each time. Continuous integration asks the same in both. */
export function fixedSeed(environment: NodeJS.ProcessEnv): number | null {
  return isLongSuite && environment['CI'] !== 'true' ? null : SEED_OF_SHORT_SUITE
}
