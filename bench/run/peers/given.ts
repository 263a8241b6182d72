/** A gateway that the caller has: `--peer name=/path/to/program`. What it is given in its environment is in bench/README.md. */
import { access, constants } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Peer } from './peer.ts'

/** Rejects when there is no such program. */
export async function findGiven(name: string, path: string): Promise<Peer> {
  const program = resolve(path)
  await access(program, constants.X_OK)
  return {
    title: name,
    start: async ({ port, upstreamUrl, upstreamCredential, key, directory }) => ({
      command: [program],
      env: {
        PORT: String(port),
        BENCH_UPSTREAM_URL: upstreamUrl,
        BENCH_UPSTREAM_KEY: upstreamCredential,
        BENCH_KEY: key,
        BENCH_DIRECTORY: directory,
      },
      authorization: `Bearer ${key}`,
      headers: {},
    }),
  }
}
