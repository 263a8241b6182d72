/** Other gateways in the turns, each before an upstream of its own: programs of the caller's, and the floor of Node. */
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../test/support/kept-process.ts'
import type { Cores } from '../machine/cores.ts'
import { startUpstream, UPSTREAM_CREDENTIAL } from '../subjects/fake-upstream.ts'
import { PinnedProcess, type PinnedOptions } from '../subjects/pinned-process.ts'
import type { Subject } from '../subjects/subject.ts'
import type { Target } from '../workloads.ts'

const START_TIMEOUT_MS = 90_000
const ASK_TIMEOUT_MS = 5_000

export interface Peer {
  readonly name: string
  readonly command: readonly string[]
  /** Set for the proxy that changes no header, so that clients send the upstream's credential, not a key. */
  readonly isBare: boolean
}

export const BARE_PROXY: Peer = {
  name: 'bare',
  command: [process.execPath, fileURLToPath(new URL('./bare-carrier.ts', import.meta.url))],
  isBare: true,
}

export interface RunningPeers {
  readonly subjects: readonly Subject[]
  /** Roots of the processes that work for the peers. */
  readonly processIds: readonly number[]
  stop(): Promise<void>
}

/** Starts the peers and keeps those that answer; `say` prints why the others do not take part. */
export async function startPeers(
  peers: readonly Peer[],
  options: { readonly cores: Cores; readonly directory: string; readonly say: (text: string) => void },
): Promise<RunningPeers> {
  if (peers.length === 0) return { subjects: [], processIds: [], stop: async () => {} }
  await using parts = new AsyncDisposableStack()
  const folder = join(options.directory, 'peers')
  await mkdir(folder)
  const { subject: core, load } = options.cores
  const upstream = parts.adopt(await startUpstream({ core: load, directory: folder }), (one) => one.stop())
  const subjects: Subject[] = []
  for (const peer of peers) {
    const directory = join(folder, peer.name)
    await mkdir(directory)
    await startPeer(peer, { core, directory, cwd: directory }, upstream.port).then(
      (subject) => subjects.push(parts.adopt(subject, (one) => one.stop())),
      (error: unknown) =>
        options.say(`${peer.name} does not take part: ${error instanceof Error ? error.message : String(error)}`),
    )
  }
  const kept = parts.move()
  return { subjects, processIds: [upstream.processId], stop: () => kept.disposeAsync() }
}

async function startPeer(peer: Peer, options: PinnedOptions, upstreamPort: number): Promise<Subject> {
  const port = await freePort()
  const key = `sk-bench-${randomBytes(24).toString('hex')}`
  const env = {
    PORT: String(port),
    BENCH_UPSTREAM_URL: `http://127.0.0.1:${upstreamPort}/v1`,
    BENCH_UPSTREAM_KEY: UPSTREAM_CREDENTIAL,
    BENCH_KEY: key,
    BENCH_DIRECTORY: options.directory,
  }
  const authorization = `Bearer ${peer.isBare ? UPSTREAM_CREDENTIAL : key}`
  const running = new PinnedProcess('peer', peer.command, { ...options, env })
  const target = (model: string): Target => ({ port, model, authorization })
  try {
    await running.untilReady(() => answersChat(target('fake/fixed')), START_TIMEOUT_MS)
  } catch (error) {
    await running.stop()
    throw error
  }
  return {
    name: `peer ${peer.name}`,
    pid: running.pid,
    target: ({ upstreamModel }) => target(upstreamModel),
    output: () => running.output,
    stop: () => running.stop(),
  }
}

async function answersChat({ port, model, authorization }: Target): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Are you there?' }] }),
    signal: AbortSignal.timeout(ASK_TIMEOUT_MS),
  }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status === 200
    },
    () => false,
  )
}
