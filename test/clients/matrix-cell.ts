/** One cell: a client, an upstream, and a plain answer or one with a tool round trip; and whether it is as it should be. */
import { randomBytes } from 'node:crypto'
import type { MatrixClient } from './matrix-clients.ts'
import type { CellRecord, MatrixGateway, MatrixUpstream } from './matrix-gateway.ts'
import { UPSTREAM_PROTOCOLS } from './matrix-gateway.ts'
import type { ClientRun } from './run-client.ts'

export const CELL_KINDS = ['plain', 'tool'] as const

export type CellKind = (typeof CELL_KINDS)[number]

export interface Cell {
  readonly client: MatrixClient
  readonly upstream: MatrixUpstream
  readonly kind: CellKind
  /** Name of the key that only this cell uses. */
  readonly keyName: string
  readonly secret: string
}

export interface CellOutcome {
  readonly cell: Cell
  /** Empty: all is as it should be. */
  readonly problems: readonly string[]
  /** The time of the process, which may have had other cells as well. */
  readonly tookMs: number
  /** What was printed and what arrived upstream, to look at after a failure. */
  readonly evidence: {
    readonly run: ClientRun
    readonly records: readonly CellRecord[]
    readonly upstream: readonly string[]
  }
}

/** Every cell of one client's row. */
export function cellsOf(client: MatrixClient): Cell[] {
  return [...UPSTREAM_PROTOCOLS, ...client.clouds].flatMap((upstream) =>
    CELL_KINDS.map((kind) => ({
      client,
      upstream,
      kind,
      keyName: `${client.id} ${upstream} ${kind}`,
      secret: `cell-${randomBytes(15).toString('hex')}`,
    })),
  )
}

/** An upstream whose protocol only one of the agents speaks, so that this answer is translated for all others. */
const PLAIN_UPSTREAM: MatrixUpstream = 'gemini'

/**
 * Whether a cell proves something that no other one does. An agent's tool round trip contains its plain turn: the first
 * request is the plain one's, with the same tools, but for the words of the prompt, and the answer to the second one has
 * the plain one's form, a thought and a text that end the turn. So an agent, for which each cell is a process, gives one
 * plain answer, which shows that it makes one call for that. A program does all of its cells in one process.
 */
export function isProof({ client, upstream, kind }: Cell): boolean {
  return client.kind === 'program' || kind === 'tool' || upstream === PLAIN_UPSTREAM
}

/** What the note says that the agent or program is asked to read. */
export function codeWord({ keyName }: Cell): string {
  return `heron-${keyName.replaceAll(/[^a-z0-9]/g, '')}`
}

export function promptOf({ kind }: Cell, note: string): string {
  return kind === 'plain' ? 'Say hello without tools.' : `Read the file ${note} and tell me the code word.`
}

/** Asks the books what the cell's client did, and holds it and what it printed against what is expected. */
export async function judgeCell(
  cell: Cell,
  run: ClientRun,
  { gateway, tookMs }: { readonly gateway: MatrixGateway; readonly tookMs: number },
): Promise<CellOutcome> {
  const records = await gateway.records(cell.keyName, cell.client.calls[cell.kind])
  const upstream = arrivedUpstream(gateway, records)
  const problems = [...answerProblems(cell, run), ...bookProblems(cell, records), ...thoughtProblems(cell, upstream)]
  return { cell, problems, tookMs, evidence: { run, records, upstream } }
}

const PLAIN_ANSWER = 'this is a plain answer'

function answerProblems(cell: Cell, run: ClientRun): string[] {
  const times = cell.client.answers
  const expected = cell.kind === 'plain' ? PLAIN_ANSWER : codeWord(cell)
  const problems = run.code === 0 ? [] : [`ended with ${run.code === null ? 'a signal: it took too long' : run.code}`]
  const seen = run.stdout.split('\n').filter((line) => line.includes(expected)).length
  if (seen < times) problems.push(`printed "${expected}" ${seen} times, not ${times}`)
  return problems
}

/** Each call once, at the upstream that was meant, whole, and with the usage that it reported. */
function bookProblems({ client, upstream, kind }: Cell, records: readonly CellRecord[]): string[] {
  const problems: string[] = []
  const expected = client.calls[kind]
  const { length } = records
  if (length < expected || length > expected + client.mayFollow) problems.push(`${length} calls, not ${expected}`)
  for (const { outcome, fault, detail, attempts, usage_source: source, cost } of records) {
    if (outcome !== 'completed' || fault !== null) problems.push(`${outcome} ${fault ?? ''}: ${detail ?? ''}`)
    else if (attempts.length !== 1) problems.push(`${attempts.length} attempts`)
    else if (attempts[0]?.upstream !== upstream) problems.push(`went to ${attempts[0]?.upstream ?? 'no upstream'}`)
    else if (source !== 'reported') problems.push(`usage is ${source}`)
    else if (!(Number(cost) > 0)) problems.push('it cost nothing')
  }
  return [...new Set(problems)]
}

/** Google signs every call, and takes these words in place of a signature that was lost. */
const WAIVER = /skip_thought_signature_validator|context_engineering_is_the_way_to_go/

const GOOGLES: ReadonlySet<MatrixUpstream> = new Set(['gemini', 'vertex-gemini'])

function thoughtProblems({ client, upstream, kind }: Cell, arrived: readonly string[]): string[] {
  if (!client.keepsThoughts || !GOOGLES.has(upstream) || kind === 'plain') return []
  const waived = arrived.filter((request) => WAIVER.test(request))
  return waived.length === 0 ? [] : ['the signature of a thought was lost']
}

function arrivedUpstream(gateway: MatrixGateway, records: readonly CellRecord[]): string[] {
  const ids = new Set(records.map(({ id }) => id))
  return gateway
    .arrived()
    .filter(({ requestId }) => ids.has(requestId))
    .map(({ method, path, body }) => `${method} ${path}\n${body.toString()}`)
}
