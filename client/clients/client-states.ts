import { existsSync } from 'node:fs'
import { type ChangeRecord, listChanges } from '../changes/change-record.ts'
import { prepareFile } from '../changes/prepared-file.ts'
import { Failure, type Host } from '../host.ts'
import { ownCopy } from '../kept/own-copy.ts'
import { readAccess, readSignIn } from '../kept/sign-in-store.ts'

export interface ClientState {
  readonly name: string
  readonly gateway: string
  /** What keeps the client from working; null where nothing is known to. */
  readonly wrong: string | null
}

/** Each client that was set up from here, with what is wrong with it. */
export async function clientStates(host: Host): Promise<readonly ClientState[]> {
  return Promise.all(
    listChanges(host).map(async (record) => ({
      name: record.name,
      gateway: record.gateway,
      wrong: await wrongWith(host, record),
    })),
  )
}

async function wrongWith(host: Host, { gateway, files, secretId, client }: ChangeRecord): Promise<string | null> {
  const signIn = readSignIn(host, gateway)
  const access = signIn === null ? null : readAccess(host, gateway)
  if (signIn === null) return 'you are signed out there'
  if (access !== null && 'ended' in access) return 'the sign-in has ended'
  if (secretId === null && !existsSync(host.node))
    return `Node.js is not at ${host.node} any more: tollgate use ${client}`
  if (secretId === null && !existsSync(ownCopy(host))) return `${ownCopy(host)} is gone: tollgate use ${client}`
  for (const file of files) {
    try {
      const { current, kept } = await prepareFile(host, file.path, { planned: null, former: file })
      if (current === null) return `${file.path} is gone: tollgate use ${client}`
      if (kept.length > 0) return `${kept.join(', ')} in ${file.path} was changed since`
    } catch (error) {
      if (error instanceof Failure) return error.message.replace(/(?:: nothing is changed)?\.$/, '')
      throw error
    }
  }
  return null
}
