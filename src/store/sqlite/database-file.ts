import { chmod, open } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '../make-directory.ts'

/** Balances and key hashes: for the gateway's own user alone. */
export const FILE_MODE = 0o600
export const DIRECTORY_MODE = 0o700

/**
 * Makes the directory and the file where they are missing, readable by this user alone, and returns the file's path. SQLite
 * gives the files beside it (`-wal`, `-shm`) the same mode.
 */
export async function prepareFile(dataDirectory: string): Promise<string> {
  await makeDirectory(dataDirectory, DIRECTORY_MODE)
  const path = join(dataDirectory, 'tollgate.db')
  const file = await open(path, 'a', FILE_MODE)
  await file.close()
  await chmod(path, FILE_MODE)
  return path
}
