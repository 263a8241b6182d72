import { rmdirSync } from 'node:fs'
import { Failure, type Host } from '../host.ts'
import { PRIVATE_MODE, readBytes, removeFile, replaceFile } from '../kept/whole-file.ts'
import { backupPath, type ChangedFile, hashOf } from './change-record.ts'
import { type PreparedFile, recordedEdits } from './prepared-file.ts'

/**
 * Writes the prepared files, each as a new file that takes the place of the old one, after a copy of what will be put back.
 * All or none: where one cannot be written, those before it are put back. Returns the record of what was written.
 */
export async function writeFiles(
  host: Host,
  client: string,
  { files, hasSecret }: { readonly files: readonly PreparedFile[]; readonly hasSecret: boolean },
): Promise<readonly ChangedFile[]> {
  for (const { path, current } of files) {
    if ((readBytes(path)?.toString('utf8') ?? null) !== current) {
      throw new Failure(`${path} was changed meanwhile: nothing is changed, run the command again.`)
    }
  }
  const records: ChangedFile[] = []
  const done: PreparedFile[] = []
  try {
    for (const file of files) {
      const record = await recordOf(host, client, file)
      writeOne(host, file, hasSecret)
      done.push(file)
      if (record !== null) records.push(record)
    }
  } catch (error) {
    for (const file of done.toReversed()) putBack(host, file)
    throw error
  }
  for (const file of files) if (file.after === null) removeEmpty(file.madeFolders)
  return records
}

function writeOne(host: Host, { path, after, current, mode, planned }: PreparedFile, hasSecret: boolean): void {
  if (after === current) return
  if (after === null) return removeFile(path)
  // A secret is read by its owner alone, whatever the file was before.
  const narrowed = hasSecret && planned !== null ? mode & PRIVATE_MODE : mode
  replaceFile(path, after, { mode: narrowed, name: host.draw() })
}

function putBack(host: Host, { path, current, mode, madeFolders }: PreparedFile): void {
  if (current !== null) return replaceFile(path, current, { mode, name: host.draw() })
  removeFile(path)
  removeEmpty(madeFolders)
}

async function recordOf(host: Host, client: string, file: PreparedFile): Promise<ChangedFile | null> {
  const { path, planned, base, after, mode, madeFolders } = file
  if (planned === null || after === null) return null
  const backup = base === null ? null : backupPath(host, client, path)
  if (backup !== null) replaceFile(backup, base ?? '', { mode: PRIVATE_MODE, name: host.draw() })
  const edits = await recordedEdits(after, planned)
  return { path, format: planned.format, backup, afterHash: await hashOf(after), mode, madeFolders, edits }
}

/** Folders that were made for a file go with it, where nothing else came into them. */
function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder)
    } catch {
      return
    }
  }
}
