/** What this program wrote into the files of clients, by which `unuse` takes it back. It has no value of a secret. */
import { existsSync, readdirSync } from 'node:fs'
import type { Host } from '../host.ts'
import { dataFolder } from '../kept/folder.ts'
import { PRIVATE_MODE, readRecord, removeFile, replaceFile } from '../kept/whole-file.ts'

export interface ChangeRecord {
  readonly client: string
  readonly name: string
  readonly gateway: string
  /** The id of the secret that stands in a file; null where a command prints a token. */
  readonly secretId: string | null
  readonly files: readonly ChangedFile[]
}

export interface ChangedFile {
  /** Where the file is, behind any link. */
  readonly path: string
  readonly format: string
  /** The copy of the file as it was before; null where there was none. */
  readonly backup: string | null
  /** The hash of the file as this program left it. */
  readonly afterHash: string
  /** Who may read the file, as it was before. */
  readonly mode: number
  /** Folders that were made for it, the outermost first. */
  readonly madeFolders: readonly string[]
  readonly edits: readonly RecordedEdit[]
}

export interface RecordedEdit {
  readonly key: readonly string[]
  /** The hash of what was written there; null where the key was taken out. */
  readonly hash: string | null
}

/** A hash by which a text is recognised without being kept. */
export async function hashOf(text: string | Buffer): Promise<string> {
  const { createHash } = await import('node:crypto')
  return createHash('sha256').update(text).digest('hex')
}

function folderOf(host: Host): string {
  return host.paths.join(dataFolder(host), 'clients')
}

function pathOf(host: Host, client: string): string {
  return host.paths.join(folderOf(host), `${client}.json`)
}

/** The record of a client; null where this program has not set it up. */
export function readChanges(host: Host, client: string): ChangeRecord | null {
  const record = readRecord(pathOf(host, client))
  // A file of ours, which is replaced as a whole.
  return record !== null && Array.isArray(record['files']) ? (record as unknown as ChangeRecord) : null
}

export function keepChanges(host: Host, record: ChangeRecord): void {
  replaceFile(pathOf(host, record.client), `${JSON.stringify(record, null, 2)}\n`, {
    mode: PRIVATE_MODE,
    name: host.draw(),
  })
}

export function forgetChanges(host: Host, client: string): void {
  removeFile(pathOf(host, client))
}

/** All clients that this program has set up. */
export function listChanges(host: Host): readonly ChangeRecord[] {
  if (!existsSync(folderOf(host))) return []
  return readdirSync(folderOf(host))
    .filter((name) => name.endsWith('.json'))
    .map((name) => readChanges(host, name.slice(0, -'.json'.length)))
    .filter((record) => record !== null)
}

/** The names of the clients that are set up for a gateway. */
export function usedClients(host: Host, gateway: string): readonly string[] {
  return listChanges(host)
    .filter((record) => record.gateway === gateway)
    .map(({ name }) => name)
}

/** The ids of the clients in whose files a secret of the gateway stands. */
export function storedClients(host: Host, gateway: string): readonly string[] {
  return listChanges(host)
    .filter((record) => record.gateway === gateway && record.secretId !== null)
    .map(({ client }) => client)
}

/** A place for the copy of a file before it is changed, with the time in its name. */
export function backupPath(host: Host, client: string, path: string): string {
  const paths = host.paths
  const time = new Date(host.nowMs()).toISOString().replace(/[:.]/g, '-')
  return paths.join(dataFolder(host), 'backups', client, `${time}-${host.draw().slice(0, 6)}-${paths.basename(path)}`)
}
