import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryDirectory } from '../../../test/support/test-servers.ts'
import { FileGuard } from './file-guard.ts'

let file = ''
let troubles: string[] = []
let copies: string[] = []
beforeEach(async () => {
  file = join(await temporaryDirectory(), 'data', 'tollgate.db')
  troubles = []
  copies = []
  await mkdir(dirname(file))
  for (const ending of ['', '-wal', '-shm']) await writeFile(file + ending, `first${ending}`)
})

function guard({ bytes = 10 } = {}): Promise<FileGuard> {
  const copyTo = async (path: string) => {
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe('600')
    await writeFile(path, 'all of it')
    copies.push(path)
  }
  const onTrouble = ({ message }: Error) => void troubles.push(message)
  return FileGuard.of({ file, content: { bytes: async () => bytes, copyTo }, onTrouble })
}

/** Once is a suspicion: who moves a file may put it back at once. */
async function lookTwice(watched: FileGuard): Promise<boolean> {
  await watched.look()
  expect(watched.isLost).toBe(false)
  await watched.look()
  return watched.isLost
}

const ENDINGS = ['', '-wal', '-shm'] as const
const DONE: readonly [string, (path: string) => Promise<void>][] = [
  ['deleted', (path) => rm(path)],
  ['moved', (path) => rename(path, `${path}.old`)],
  [
    'replaced by a copy',
    async (path) => {
      // Clocks of file systems go in steps of milliseconds.
      const { birthtimeNs } = await stat(path, { bigint: true })
      const isYounger = async () => {
        await copyFile(path, `${path}.new`)
        return (await stat(`${path}.new`, { bigint: true })).birthtimeNs !== birthtimeNs || rm(`${path}.new`)
      }
      await expect.poll(isYounger, { interval: 1 }).toBe(true)
      await rename(`${path}.new`, path)
    },
  ],
  [
    'deleted and made anew',
    async (path) => {
      await rename(path, `${path}.old`)
      await writeFile(path, 'second')
    },
  ],
  ['gone with its directory', (path) => rename(dirname(path), `${dirname(path)}.old`)],
]

// from: nfrastack/db-backup#423, whiteout-project/bot#100, bytedance/deer-flow#5166
test.for(ENDINGS.flatMap((ending) => DONE.map(([how, act]) => ({ ending, how, act }))))(
  'tollgate.db$ending that is $how is noticed, and all that the open files hold is copied beside it',
  async ({ ending, act }) => {
    const watched = await guard()
    expect([await lookTwice(watched), troubles]).toEqual([false, []])
    await act(file + ending)
    expect(await lookTwice(watched)).toBe(true)
    expect(copies).toEqual([`${file}.kept-1`])
    expect(existsSync(copies[0] ?? '')).toBe(true)
    expect(troubles).toEqual([
      expect.stringMatching(/^moved, replaced or deleted while the database is open: .+; every call is refused$/),
      expect.stringContaining(`${file}.kept-1: stop the gateway, and rename it`),
    ])
  },
)

test('files that are put back are served from again, and a second copy takes the place of the first', async () => {
  const watched = await guard()
  await rename(file, `${file}.away`)
  expect(await lookTwice(watched)).toBe(true)
  await rename(`${file}.away`, file)
  await watched.look()
  expect([watched.isLost, troubles.at(-1)]).toEqual([false, `the files of the database are back: ${file}`])
  await rm(file)
  await lookTwice(watched)
  await watched.finish()
  const kept = (await readdir(dirname(file))).filter((name) => name.includes('.kept-'))
  expect(kept).toEqual([basename(copies.at(-1) ?? '')])
})

test('files that are only written to, or cut short by a checkpoint, are the same', async () => {
  const watched = await guard()
  for (const ending of ENDINGS) await writeFile(file + ending, '')
  expect(await lookTwice(watched)).toBe(false)
})

test('a large database is copied when it is closed: settlements must not wait for it', async () => {
  const watched = await guard({ bytes: 10 * 2 ** 30 })
  await rm(file)
  expect([await lookTwice(watched), copies]).toEqual([true, []])
  await watched.finish()
  expect(copies).toEqual([`${file}.kept-1`])
})

test('another thread of the process sees it too, and leaves the copy to the first', async () => {
  const first = await guard()
  const second = new FileGuard({ file, opened: structuredClone(first.opened), content: null, onTrouble: () => {} })
  await rm(file)
  expect(await lookTwice(second)).toBe(true)
  await second.finish()
  expect(copies).toEqual([])
})
