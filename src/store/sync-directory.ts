import { open } from 'node:fs/promises'

/** Makes new names in a directory survive a power cut. Windows has no such call, and needs none. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
