/** Names the machine in a result: what a reader needs to compare figures, and nothing that says whose it is. */
import { execFile } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { cpus, release, tmpdir, totalmem } from 'node:os'
import { promisify } from 'node:util'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly linux: string
  /** Where the gateway's database lies: on `tmpfs` a commit costs nothing. */
  readonly dataOn: string
  readonly node: string
  readonly nginx: string
}

/** Magic numbers of statfs(2). */
const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  0xef53: 'ext4',
  0x01021994: 'tmpfs',
  0x794c7630: 'overlayfs',
  0x58465342: 'xfs',
  0x9123683e: 'btrfs',
  0x2fc12fc1: 'zfs',
}

export async function describeMachine(nginxPath: string): Promise<Machine> {
  // nginx writes its version to standard error.
  const { stderr } = await promisify(execFile)(nginxPath, ['-v'])
  const { type } = await statfs(tmpdir())
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    linux: /^[\d.]+/.exec(release())?.[0] ?? 'unknown',
    dataOn: FILE_SYSTEMS[type] ?? `file system 0x${type.toString(16)}`,
    node: process.version,
    nginx: /nginx\/(\S+)/.exec(stderr)?.[1] ?? 'unknown',
  }
}
