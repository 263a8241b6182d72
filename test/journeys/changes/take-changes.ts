/** Whether a change through one node's API holds at another when the call returns, under a stream that runs on. */
import type { ReceivedRequest } from '../../../tools/fake-upstream/request-log.ts'
import { type Answer, COST_USD, MODEL, type TwoNodes, UPSTREAM } from './two-nodes.ts'

export const CHANGES = ['upstream', 'target', 'credential', 'group', 'key'] as const
type ChangeKind = (typeof CHANGES)[number]

interface ChangeTaken {
  readonly kind: ChangeKind
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

/** Makes each change once, one after the other. */
export async function takeChanges(nodes: TwoNodes): Promise<ChangeTaken[]> {
  const taken: ChangeTaken[] = []
  for (const kind of CHANGES) taken.push(await take(nodes, kind, CHANGE_OF[kind](nodes)))
  return taken
}

async function take(nodes: TwoNodes, kind: ChangeKind, change: Change): Promise<ChangeTaken> {
  const isShown = async () => change.shows(await nodes.ask({ isOfKey: kind === 'key' }))
  if (await isShown()) throw new Error(`the change of the ${kind} holds before it is made`)
  const { rest } = await nodes.stream()
  const from = performance.now()
  const sinceThen = () => performance.now() - from
  const heldOnReturn = nodes.change(change.path, change.body).then(isShown)
  while (!(await isShown())) if (sinceThen() > HELD_WITHIN_MS) throw new Error(`the change of the ${kind} never holds`)
  return {
    kind,
    heldOnReturn: await heldOnReturn,
    isStreamWhole: (await rest).includes('data: [DONE]'),
  }
}

const CHANGE_OF: Readonly<Record<ChangeKind, (nodes: TwoNodes) => Change>> = {
  upstream({ paths, fakes: [, fake] }) {
    const body = { base_url: `${fake.url}/v1`, credential: 'moved' }
    return { path: paths.upstream, body, shows: ({ requestId }) => received(fake.requests, requestId) !== undefined }
  },
  target({ paths, fakes }) {
    const model = `${MODEL}&tag=changed`
    const shows = ({ requestId }: Answer) => receivedBy(fakes, requestId)?.body.includes(JSON.stringify(model)) === true
    return { path: paths.model, body: { targets: [{ upstream: UPSTREAM, model }] }, shows }
  },
  credential({ paths, fakes }) {
    const credential = 'another-credential'
    const shows = ({ requestId }: Answer) =>
      receivedBy(fakes, requestId)?.headers.authorization === `Bearer ${credential}`
    return { path: paths.upstream, body: { credential }, shows }
  },
  group({ paths }) {
    const multiplier = 2
    const shows = ({ cost }: Answer) => Math.abs(Number(cost) - COST_USD * multiplier) < COST_USD / 1_000
    return { path: paths.group, body: { multiplier: String(multiplier) }, shows }
  },
  key({ paths }) {
    return { path: paths.key, body: { status: 'disabled' }, shows: ({ status }) => status === 401 }
  },
}

function receivedBy(fakes: TwoNodes['fakes'], requestId: string): ReceivedRequest | undefined {
  return received(fakes[0].requests, requestId) ?? received(fakes[1].requests, requestId)
}

function received(requests: readonly ReceivedRequest[], requestId: string): ReceivedRequest | undefined {
  return requests.findLast((each) => each.requestId === requestId)
}
