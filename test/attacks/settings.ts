/** What a run of the attacks was asked for, in variables that `run.ts` sets from its flags. */
import { inSuite } from '../support/run/suite.ts'

export interface AttackSettings {
  /** A gateway that runs already, and its admin token; null: the attacks start one of their own. */
  readonly running: { readonly origin: string; readonly adminToken: string } | null
  /** How many cases the fuzzer sends in all. */
  readonly fuzzCases: number
  readonly seed: number
  /** The first case of each sender: a part of a long run, or one case again. */
  readonly fuzzFrom: number
  /** Everything, and not the part that belongs into every run of the tests. */
  readonly isLong: boolean
}

/** Cases that a run of all tests has time for. */
const SHORT_FUZZ = inSuite({ long: 3_000, short: 800 })
const LONG_FUZZ = 100_000

/** Throws when a variable has no sense. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): AttackSettings {
  const origin = environment['ATTACKS_BASE_URL']
  const adminToken = environment['ATTACKS_ADMIN_TOKEN']
  if (origin !== undefined && adminToken === undefined) {
    throw new Error('ATTACKS_BASE_URL needs ATTACKS_ADMIN_TOKEN as well: the attacks open accounts and upstreams there')
  }
  const isLong = environment['ATTACKS_LONG'] === '1'
  return {
    running: origin === undefined || adminToken === undefined ? null : { origin, adminToken },
    fuzzCases: Number(environment['ATTACKS_FUZZ'] ?? (isLong ? LONG_FUZZ : SHORT_FUZZ)),
    fuzzFrom: Number(environment['ATTACKS_FUZZ_FROM'] ?? 0),
    seed: Number(environment['ATTACKS_SEED'] ?? 1),
    isLong,
  }
}
