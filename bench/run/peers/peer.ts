/** Other gateways that take part in the turns, each a program of the caller's, and the proxy that stands for the floor of Node. */
import { access, constants } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface PeerPlan {
  /** The port that it must listen on, on the loopback address. */
  readonly port: number
  /** Base URL of the fake upstream, which speaks OpenAI's protocol there; it ends with `/v1`. */
  readonly upstreamUrl: string
  readonly upstreamCredential: string
  /** A key of the bench's, for a gateway that wants one. */
  readonly key: string
  /** A folder of its own. */
  readonly directory: string
}

/** The command that starts a peer, and what a request to it must carry. */
export interface PeerStart {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly authorization: string
}

/** A gateway that is installed and can be started. */
export interface Peer {
  readonly name: string
  start(plan: PeerPlan): PeerStart
}

/** Names of the peers that the caller asks for. */
export interface PeerChoice {
  /** A proxy that does nothing else. */
  readonly isBareWanted: boolean
  readonly given: readonly { readonly name: string; readonly path: string }[]
}

/** The peers that can be started; `say` prints why the others cannot. */
export async function findPeers({ isBareWanted, given }: PeerChoice, say: (text: string) => void): Promise<Peer[]> {
  const found: Peer[] = isBareWanted ? [BARE_PROXY] : []
  for (const { name, path } of given) {
    const program = resolve(path)
    await access(program, constants.X_OK).then(
      () => found.push(programPeer(name, program)),
      (error: Error) => say(`${name} does not take part: ${error.message}`),
    )
  }
  return found
}

const BARE_PROGRAM = fileURLToPath(new URL('./bare-carrier.ts', import.meta.url))

const BARE_PROXY: Peer = {
  name: 'bare',
  start: ({ port, upstreamUrl, upstreamCredential }) => ({
    command: [process.execPath, BARE_PROGRAM],
    env: { PORT: String(port), UPSTREAM_PORT: new URL(upstreamUrl).port },
    // The proxy changes no header, so clients send the upstream's credential.
    authorization: `Bearer ${upstreamCredential}`,
  }),
}

function programPeer(name: string, program: string): Peer {
  return {
    name,
    start: ({ port, upstreamUrl, upstreamCredential, key, directory }) => ({
      command: [program],
      env: {
        PORT: String(port),
        BENCH_UPSTREAM_URL: upstreamUrl,
        BENCH_UPSTREAM_KEY: upstreamCredential,
        BENCH_KEY: key,
        BENCH_DIRECTORY: directory,
      },
      authorization: `Bearer ${key}`,
    }),
  }
}
