import { expect, onTestFinished, test, vi } from 'vitest'
import { runSubCommand, UsageError } from '../tools/sub-commands.ts'
import { readFlags, takeOption } from './command.ts'
import { PROGRAMS } from './main.ts'
import { quantile } from './numbers.ts'

function errorsPrinted() {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => printed.mockRestore())
  return printed
}

test.for([[], ['everything'], ['toString'], ['--quick']])(
  '%j prints the usage in a few lines and ends with 2',
  async (argv) => {
    const printed = errorsPrinted()
    expect(await runSubCommand('bench', PROGRAMS, argv)).toBe(2)
    const [usage] = printed.mock.lastCall ?? []
    expect(String(usage)).toMatch(/^npm run bench -- run\|soak\|console\|views \[flags\]\n/)
    expect(String(usage).split('\n').length).toBeLessThan(8)
  },
)

test.for([
  ['run', '--fast'],
  ['run', '--only', 'everything'],
  ['run', '--only', 'protocols', '--part', 'translated'],
  ['soak', '--rate', '0'],
  ['views', '--only', 'everything'],
  ['views', '--runs', 'x'],
])('%j ends with 2 before anything is started', async (argv) => {
  errorsPrinted()
  expect(await runSubCommand('bench', PROGRAMS, argv)).toBe(2)
})

test('a program ends with 0 when all is well, with 1 when a bar is missed and with 1 when it fails', async () => {
  errorsPrinted()
  const ending = (run: () => Promise<boolean>) =>
    runSubCommand('bench', { run: { does: '', load: async () => run } }, ['run'])
  expect(await ending(async () => true)).toBe(0)
  expect(await ending(async () => false)).toBe(1)
  expect(await ending(async () => Promise.reject(new Error('no disk')))).toBe(1)
})

test('flags have the type of their default, and what is not given keeps it', () => {
  const defaults = { rate: 500, url: null, quick: false, part: '' }
  expect(readFlags([], defaults)).toEqual(defaults)
  const argv = ['--rate', '20', '--url=postgres://x', '--quick', '--part', 'keys']
  expect(readFlags(argv, defaults)).toEqual({ rate: 20, url: 'postgres://x', quick: true, part: 'keys' })
  expect(() => readFlags(['--rate', '-1'], defaults)).toThrow(UsageError)
  expect(() => readFlags(['--rate', '1.5'], defaults)).toThrow('--rate takes a whole number from 1, not "1.5"')
  expect(() => readFlags(['keys'], defaults)).toThrow(UsageError)
})

test.for([
  [['--quick', '--only', 'protocols', '--workers', '2'], 'protocols', ['--quick', '--workers', '2']],
  [['--only=protocols', '--workers', '2'], 'protocols', ['--workers', '2']],
  [['--workers', '2'], null, ['--workers', '2']],
  [['--only'], null, ['--only']],
] as const)('one option is taken out of %j', ([argv, value, rest]) => {
  expect(takeOption(argv, 'only')).toEqual({ value, rest })
})

test('a quantile is the value that this part lies below, the largest at most, whatever the order', () => {
  const values = [3, 1, 2, 4]
  expect([0, 0.5, 0.99, 1].map((part) => quantile(values, part))).toEqual([1, 3, 4, 4])
  expect(quantile([], 0.5)).toBe(0)
})
