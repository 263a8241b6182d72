import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { readCoreList, sumCores } from './cores.ts'
import { cpuBetween, readProcessTree, readStat, residentMb, type ProcessUse } from './process-tree.ts'

test.for([
  ['0-1', [0, 1]],
  ['0,4-6,9', [0, 4, 5, 6, 9]],
  ['3', [3]],
  ['', []],
] as const)('the list of cores %s is read', ([list, cores]) => {
  expect(readCoreList(list)).toEqual(cores)
})

test('a process is read from its line, whatever its name is', () => {
  const line = '4711 (a) b (c) S 4000 4711 4711 0 -1 4194560 1 0 0 0 12 34 5 6 20 0 11 0 999 1000000 2560 1844'
  expect(readStat(line)).toEqual({ pid: 4711, parentPid: 4000, cpuMs: 460, residentKb: 10_240 })
})

test('only the chosen cores count, waiting for disks is idle, and stolen time is busy', () => {
  const text =
    'cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 10 1 20 300 40 2 3 4 7 7\ncpu1 1 0 0 9 0 0 0 0 0 0\ncpu10 500 0 0 0 0 0 0 0 0 0\n'
  expect(sumCores(text, [0])).toEqual({ busyMs: 400, allMs: 3800 })
  expect(sumCores(text, [0, 1])).toEqual({ busyMs: 410, allMs: 3900 })
})

test('a tree holds the children of children', async () => {
  const grandchild = `setInterval(() => {}, 1000); console.log('up')`
  const child = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}], { stdio: 'inherit' })`
  const running = spawn(process.execPath, ['-e', child], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(running.stdout, 'data')
  const tree = await readProcessTree(running.pid ?? 0)
  for (const { pid } of tree) process.kill(pid, 'SIGKILL')
  expect(tree).toHaveLength(2)
  expect(residentMb(tree)).toBeGreaterThan(20)
  expect(cpuBetween(tree, tree)).toBe(0)
})

test('CPU time is summed over processes, new ones too, and a lost one is not silently left out', () => {
  expect(cpuBetween([used(1, 100), used(2, 50)], [used(1, 180), used(2, 60), used(3, 5)])).toBe(95)
  expect(() => cpuBetween([used(1, 100), used(2, 50)], [used(1, 180)])).toThrow('ended')
})

test('short rounds are measured by their threads, and by the process when a thread has ended', () => {
  const before = [
    used(1, 100, [
      [1, 90.25],
      [2, 10.5],
    ]),
  ]
  expect(
    cpuBetween(before, [
      used(1, 110, [
        [1, 93.5],
        [2, 11],
        [3, 1],
      ]),
    ]),
  ).toBe(4.75)
  expect(cpuBetween(before, [used(1, 110, [[1, 93.5]])])).toBe(10)
})

test('the CPU time of this process is counted by its threads', async () => {
  const tree = await readProcessTree(process.pid)
  // Numbers of processes begin anew one day, so a child may come before its parent.
  const own = tree.find(({ pid }) => pid === process.pid)
  expect([...(own?.threadMs.values() ?? [])].reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(1)
})

function used(pid: number, cpuMs: number, threads: readonly (readonly [number, number])[] = []): ProcessUse {
  return { pid, cpuMs, residentKb: 0, threadMs: new Map(threads) }
}
