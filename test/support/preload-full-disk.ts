import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

// To be loaded before the program of a process of its own (`node --import`): the disk of FULL_DISK_OF has a twentieth left.

const directory = process.env['FULL_DISK_OF'] ?? ''
const statfs = files.statfs

files.statfs = Object.assign(async (path: string) => {
  const disk = await statfs(path)
  return path.startsWith(directory) ? Object.assign(disk, { bavail: Math.floor(disk.blocks / 20) }) : disk
}) as typeof statfs
syncBuiltinESMExports()
