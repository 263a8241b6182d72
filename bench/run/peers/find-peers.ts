/** Which other gateways take part: those that a registry has, installed for this run, and those that the caller has. */
import { join } from 'node:path'
import { BARE_PROXY } from './bare.ts'
import { findGiven } from './given.ts'
import { installLitellm } from './litellm.ts'
import type { Peer, PeerWish } from './peer.ts'
import { installPortkey } from './portkey.ts'

/** Those that could be had. `say` prints why the others could not. */
export async function findPeers(wish: PeerWish, directory: string, say: (text: string) => void): Promise<Peer[]> {
  const wanted = wish.given.map(({ name, path }) => ({ name, find: () => findGiven(name, path) }))
  if (wish.fromRegistries) {
    wanted.push({ name: 'portkey', find: () => installPortkey(join(directory, 'portkey')) })
    wanted.push({ name: 'litellm', find: () => installLitellm(join(directory, 'litellm')) })
  }
  const found: Peer[] = wish.isBareWanted ? [BARE_PROXY] : []
  for (const { name, find } of wanted) {
    try {
      found.push(await find())
    } catch (error) {
      say(`${name} does not take part: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return found
}
