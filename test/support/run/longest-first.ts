/** The order of a run: what mostly waits and what takes longest begins first, so that no long file is left alone at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that wait for real time to pass: the others have the processor meanwhile. */
const WAITING = [
  'test/faults/many-nodes.long.test.ts',
  'test/browser/bad-day.long.test.ts',
  'test/faults/soak.long.test.ts',
]

/** Files in the order that `slowest-files.ts` prints; a name that is missing here costs time and nothing else. */
const LONG = [
  'test/browser/every-view-of-accounts.test.ts',
  'test/browser/every-view-of-keys.test.ts',
  'test/attacks/money/money.test.ts',
  'test/browser/keys.test.ts',
  'test/conformance/translation-fuzz.test.ts',
  'test/browser/sign-in.test.ts',
  'test/journeys/snippets.test.ts',
  'test/browser/account.test.ts',
  'test/faults/rounds-postgres.test.ts',
  'test/faults/rounds.test.ts',
  'test/conformance/admission-laws.test.ts',
  'test/browser/start.test.ts',
  'test/clients/agents.long.test.ts',
  'test/browser/bars.long.test.ts',
  'test/conformance/control-audit-change.test.ts',
  'test/faults/fault-matrix.test.ts',
  'test/journeys/pack.long.test.ts',
  'test/faults/books.long.test.ts',
  'test/faults/at-once.test.ts',
  'test/browser/usage.test.ts',
  'test/clients/opencode.long.test.ts',
  'test/browser/api-docs.test.ts',
  'test/conformance/translation-laws.test.ts',
  'test/clients/programs.long.test.ts',
]

export const BEGIN_FIRST: readonly string[] = [...WAITING, ...LONG]

/** Short ones that share a thread are last: they fill what the long ones leave. */
const PROJECTS = ['servers', 'alone', 'laws', 'unit']

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files)
    return others.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

function placeOf({ moduleId, project }: TestSpecification): number {
  const place = BEGIN_FIRST.findIndex((path) => moduleId.endsWith(`/${path}`))
  return place === -1 ? BEGIN_FIRST.length + PROJECTS.indexOf(project.name) : place
}
