/** How long a change through one node's API takes to hold at another, under a stream that runs on. */
import type { ReceivedRequest } from '../../../tools/fake-upstream/request-log.ts'
import { type Answer, COST_USD, MODEL, type TwoNodes, UPSTREAM } from './two-nodes.ts'

export const CHANGES = ['upstream', 'target', 'credential', 'group', 'key'] as const
export type ChangeKind = (typeof CHANGES)[number]

export interface ChangeTaken {
  readonly kind: ChangeKind
  /** From the call of the API to the end of the first request at the other node that shows the change. */
  readonly heldAfterMs: number
  /** From the call of the API to its answer. */
  readonly returnedAfterMs: number
  /** The request that was sent when the call had returned shows it. */
  readonly heldOnReturn: boolean
  /** The stream that ran meanwhile came to its end. */
  readonly isStreamWhole: boolean
}

interface Change {
  readonly path: string
  readonly body: object
  /** Whether a request to the other node shows it. */
  shows(answer: Answer): boolean
}

const HELD_WITHIN_MS = 60_000

/** Makes each change so many times, one after the other, at nodes that are closed then. */
export async function measureChanges(nodes: TwoNodes, rounds: number): Promise<ChangeTaken[]> {
  const taken: ChangeTaken[] = []
  try {
    for (let round = 1; round <= rounds; round++) {
      for (const kind of CHANGES) taken.push(await measure(nodes, kind, CHANGE_OF[kind](nodes, round)))
    }
  } finally {
    await nodes.close()
  }
  return taken
}

async function measure(nodes: TwoNodes, kind: ChangeKind, change: Change): Promise<ChangeTaken> {
  const isShown = async () => change.shows(await nodes.ask({ isOfKey: kind === 'key' }))
  if (await isShown()) throw new Error(`the change of the ${kind} holds before it is made`)
  const { rest } = await nodes.stream()
  const from = performance.now()
  const sinceThen = () => performance.now() - from
  const returned = nodes.change(change.path, change.body).then(sinceThen)
  const heldOnReturn = returned.then(isShown)
  while (!(await isShown())) if (sinceThen() > HELD_WITHIN_MS) throw new Error(`the change of the ${kind} never holds`)
  const heldAfterMs = sinceThen()
  return {
    kind,
    heldAfterMs,
    returnedAfterMs: await returned,
    heldOnReturn: await heldOnReturn,
    isStreamWhole: (await rest).includes('data: [DONE]'),
  }
}

const CHANGE_OF: Readonly<Record<ChangeKind, (nodes: TwoNodes, round: number) => Change>> = {
  upstream({ paths, fakes }, round) {
    const fake = fakes[round % 2 === 0 ? 0 : 1]
    const body = { base_url: `${fake.url}/v1`, credential: `moved-${round}` }
    return { path: paths.upstream, body, shows: ({ requestId }) => received(fake.requests, requestId) !== undefined }
  },
  target({ paths, fakes }, round) {
    const model = `${MODEL}&tag=${round}`
    const shows = ({ requestId }: Answer) => receivedBy(fakes, requestId)?.body.includes(JSON.stringify(model)) === true
    return { path: paths.model, body: { targets: [{ upstream: UPSTREAM, model }] }, shows }
  },
  credential({ paths, fakes }, round) {
    const credential = `credential-${round}`
    const shows = ({ requestId }: Answer) =>
      receivedBy(fakes, requestId)?.headers.authorization === `Bearer ${credential}`
    return { path: paths.upstream, body: { credential }, shows }
  },
  group({ paths }, round) {
    const multiplier = round + 1
    const shows = ({ cost }: Answer) => Math.abs(Number(cost) - COST_USD * multiplier) < COST_USD / 1_000
    return { path: paths.group, body: { multiplier: String(multiplier) }, shows }
  },
  key({ paths }, round) {
    const isActive = round % 2 === 0
    const shows = ({ status }: Answer) => status === (isActive ? 200 : 401)
    return { path: paths.key, body: { status: isActive ? 'active' : 'disabled' }, shows }
  },
}

function receivedBy(fakes: TwoNodes['fakes'], requestId: string): ReceivedRequest | undefined {
  return received(fakes[0].requests, requestId) ?? received(fakes[1].requests, requestId)
}

function received(requests: readonly ReceivedRequest[], requestId: string): ReceivedRequest | undefined {
  return requests.findLast((each) => each.requestId === requestId)
}
