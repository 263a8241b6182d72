/** Starts other people's gateways before an upstream of their own, each as a subject. */
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../../test/support/kept-process.ts'
import type { Cores } from '../machine/cores.ts'
import { startUpstream, UPSTREAM_CREDENTIAL } from '../subjects/fake-upstream.ts'
import { PinnedProcess } from '../subjects/pinned-process.ts'
import type { Subject } from '../subjects/subject.ts'
import type { Target } from '../subjects/target.ts'
import type { Peer } from './peer.ts'

/** Some import half of PyPI. */
const START_TIMEOUT_MS = 90_000
const ASK_TIMEOUT_MS = 5_000

export interface RunningPeers {
  readonly subjects: readonly Subject[]
  /** What works for them. */
  readonly processIds: readonly number[]
  stop(): Promise<void>
}

export interface PeersPlace {
  readonly cores: Cores
  readonly directory: string
  /** Prints which do not answer rightly in time, and so take no part. */
  readonly say: (text: string) => void
}

/** All that answer. */
export async function startPeers(peers: readonly Peer[], { cores, directory, say }: PeersPlace): Promise<RunningPeers> {
  await using parts = new AsyncDisposableStack()
  if (peers.length === 0) return { subjects: [], processIds: [], stop: async () => {} }
  const place = join(directory, 'peers')
  await mkdir(place)
  const upstream = parts.adopt(await startUpstream({ core: cores.load, directory: place }), (one) => one.stop())
  const subjects: Subject[] = []
  for (const peer of peers) {
    const own = join(place, peer.title.replaceAll(/\W+/g, '-'))
    await mkdir(own)
    const onePlace = { core: cores.subject, directory: own, upstreamPort: upstream.port }
    const subject = await startPeer(peer, onePlace).catch((error: unknown) => {
      say(`${peer.title} does not take part: ${error instanceof Error ? error.message : String(error)}`)
      return null
    })
    if (subject !== null) subjects.push(parts.adopt(subject, (one) => one.stop()))
  }
  const kept = parts.move()
  return { subjects, processIds: [upstream.processId], stop: () => kept.disposeAsync() }
}

interface OnePlace {
  readonly core: number | null
  readonly directory: string
  readonly upstreamPort: number
}

async function startPeer(peer: Peer, { core, directory, upstreamPort }: OnePlace): Promise<Subject> {
  const port = await freePort()
  const { command, env, authorization, headers } = await peer.start({
    port,
    upstreamUrl: `http://127.0.0.1:${upstreamPort}/v1`,
    upstreamCredential: UPSTREAM_CREDENTIAL,
    key: `sk-bench-${randomBytes(24).toString('hex')}`,
    directory,
  })
  const running = new PinnedProcess('peer', command, { core, directory, env, cwd: directory })
  const target = (model: string): Target => ({ port, model, authorization, headers })
  try {
    await running.untilReady(() => answersChat(target('fake/fixed')), START_TIMEOUT_MS)
  } catch (error) {
    await running.stop()
    throw error
  }
  return {
    name: `peer ${peer.title}`,
    pid: running.pid,
    target: ({ upstreamModel }) => target(upstreamModel),
    output: () => running.output,
    stop: () => running.stop(),
  }
}

async function answersChat({ port, model, authorization, headers }: Target): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization, ...headers },
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
