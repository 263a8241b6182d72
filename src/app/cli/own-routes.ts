import { z } from 'zod'
import type { RouteCall } from '../../control/call-route.ts'
import type { SecretHashes } from '../../control/parts.ts'
import type { ProblemCode } from '../../contract/problems.ts'
import { newId } from '../../core/ids.ts'
import type { Store } from '../../store/store.ts'
import { CommandFailure, type CliHost } from './cli-host.ts'
import { LISTED } from './print-rows.ts'
import { reachNodes } from './reach-nodes.ts'

/** What a command calls routes with. */
export interface OwnInstallation {
  readonly store: Store
  readonly host: CliHost
  /** Needed where a secret is made or looked up. */
  readonly hashes?: SecretHashes
}

export interface OwnCall<Schema extends z.ZodType> extends RouteCall {
  /** What the answer is read by. */
  readonly answer: Schema
  /** Begins the sentence of a failure where a gateway does not follow the change, as in "The key is disabled". */
  readonly done?: string
  /** Sentences of the command in place of the API's, or made of it. */
  readonly says?: Readonly<Partial<Record<ProblemCode, string | ((detail: string) => string)>>>
}

/**
 * Calls a route of the API in this process, which returns when every running gateway acts on what it changed. Throws
 * CommandFailure with what the route says against it.
 */
export async function callOwn<Schema extends z.ZodType>(
  { answer, done = 'The change is stored', says = {}, ...call }: OwnCall<Schema>,
  { store, host, hashes }: OwnInstallation,
): Promise<z.output<Schema>> {
  // Not loaded by commands that only share a file with one that calls.
  const { callRoute } = await import('../../control/call-route.ts')
  const answered = await callRoute(call, {
    store,
    clock: { now: () => host.nowMs(), elapsed: () => host.nowMs() },
    newId: (prefix) => newId(prefix, host.nowMs()),
    randomBytes: (count) => host.randomBytes(count),
    hashes,
    limitStates: async () => [],
    waitForNodes: async (seq) => {
      await reachNodes(seq, { store, host, done })
      return []
    },
  })
  if (answered.kind === 'answered') return answer.parse(answered.body)
  const { code, detail } = answered
  const said = says[code] ?? detail
  throw new CommandFailure(typeof said === 'string' ? said : said(detail))
}

/** Lists the first rows of a path, as many as a command lists. */
export async function listOwn<Row extends z.ZodType>(
  path: `/api/${string}`,
  row: Row,
  installation: OwnInstallation,
): Promise<z.output<Row>[]> {
  const answer = z.object({ data: z.array(row), next_cursor: z.string().nullable() })
  const rows: z.output<Row>[] = []
  for (let cursor: string | null = ''; cursor !== null && rows.length < LISTED;) {
    const page: z.output<typeof answer> = await callOwn(
      { method: 'get', path: `${path}?limit=${PAGE}${cursor === '' ? '' : `&cursor=${cursor}`}`, answer },
      installation,
    )
    rows.push(...page.data)
    cursor = page.next_cursor
  }
  return rows.slice(0, LISTED)
}

const PAGE = 200
