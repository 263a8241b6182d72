import { expect, test } from 'vitest'
import { cliHostByHand } from '../../../test/support/cli-host-by-hand.ts'
import { VARIABLES } from '../installation/environment.ts'
import { runCommandLine } from './command-line.ts'
import { COMMANDS } from './commands.ts'
import { findCommand, readCall } from './read-call.ts'
import type { Invocation } from './command.ts'
import { UsageError } from './cli-host.ts'

async function run(...args: string[]) {
  // Without a database: a command that reaches for one fails the test.
  const { host, printed, remarked } = cliHostByHand({ environment: { TOLLGATE_DATA_DIR: '/nowhere/at/all' } })
  const code = await runCommandLine(args, host)
  return { code, printed: printed.join(''), remarked: remarked.join('') }
}

function call(...args: string[]): Invocation {
  const { command, rest } = findCommand(args)
  return readCall(command, rest)
}

test('without a command the gateway is started', () => {
  expect(findCommand([]).command.words).toBe('start')
  expect(findCommand(['start']).command.words).toBe('start')
})

test.for([
  [['strat'], '"strat" is not a command: did you mean "tollgate start"?'],
  [['key', 'crate'], '"key crate" is not a command: did you mean "tollgate key create"?'],
  [['checkledger'], '"checkledger" is not a command: did you mean "tollgate check-ledger"?'],
  [['frobnicate'], '"frobnicate" is not a command: see "tollgate help" for those there are.'],
  [
    ['account'],
    '"account" needs to be followed by one of create, role, sign-in-link, credit, adjust, ledger, limits, close, list.',
  ],
  [
    ['account', 'create', '--emial', 'a@b.test'],
    '"tollgate account create" has no flag --emial: did you mean --email?',
  ],
  [
    ['key', 'create', '--custom-key', 'x'],
    '"tollgate key create" has no flag --custom-key: did you mean --custom-key-stdin?',
  ],
  [
    ['account', 'create', '--password=x'],
    '"tollgate account create" has no flag --password: did you mean --password-stdin?',
  ],
  [['start', '-p', '80'], '"tollgate start" has no flag -p: see "tollgate help start" for those there are.'],
  [['account', 'create'], '"tollgate account create" needs --email ADDRESS.'],
  [
    ['account', 'credit', '--email', 'a@b.test', '--amount', '-5'],
    '--amount needs a value: --amount USD, or --amount=… for one that begins with "-".',
  ],
  [['account', 'create', '--email'], '--email needs a value'],
  [['account', 'adjust', 'a@b.test', '-5'], '"tollgate account adjust" needs --reason TEXT.'],
  [['account', 'adjust', 'a@b.test', '--reason', 'x'], 'needs AMOUNT: tollgate account adjust EMAIL AMOUNT.'],
  [['account', 'adjust', 'a@b.test', '5', '6', '--reason', 'x'], '"6" means nothing to "tollgate account adjust"'],
  [['account', 'adjust', 'a@b.test', '-five', '--reason', 'x'], 'has no flag -five'],
  [['account', 'adjust', 'a@b.test', '-5x', '--reason', 'x'], 'AMOUNT is "-5x", but it must be an amount of USD'],
  [['subscription'], '"subscription" needs to be followed by one of create, renew, cancel, list.'],
  [['subscription', 'create', 'a@b.test'], '"tollgate subscription create" needs PLAN'],
  [['subscription', 'renew', 'sub_1', '--days', '0'], '--days is "0", but it must be at least 1.'],
  [
    ['subscription', 'create', 'a@b.test', 'pro', '--starts-at', 'soon'],
    '--starts-at is "soon", but it must be a time',
  ],
  [['redeem-code', 'create'], 'Give --usd and an amount, or --plan and its name.'],
  [['redeem-code', 'create', '--usd', '5', '--plan', 'pro'], 'Give --usd and an amount, or --plan and its name.'],
  [['redeem-code', 'create', '--usd', '0'], '--usd is "0", but it must be at least 0.000000001 USD.'],
  [['redeem-code', 'create', '--usd=-5'], '--usd is "-5", but it must be an amount of USD'],
  [['redeem-code', 'create', '--usd', '5', '--count', '1001'], '--count is "1001", but it must be at most 1000.'],
  [
    ['redeem-code', 'create', '--usd', '5', '--expires-at', '1969-12-31T00:00:00Z'],
    '--expires-at is in the past: give a later time.',
  ],
  [
    ['redeem', 'K7QM-2XHD', '--account', 'a@b.test'],
    'The redeem code is not complete or has a wrong character: enter all five groups',
  ],
  [['account', 'list', '--json=yes'], '--json takes no value.'],
  [['account', 'create', '--email', 'a', '--email', 'b'], '--email was given twice: give it once.'],
  [['migrate', 'now'], '"now" means nothing to "tollgate migrate": leave it out.'],
  [['account', 'create', '--email', 'unknown'], '--email is "unknown", but it must be an email address.'],
  [['account', 'create', '--email', 'a@b.test', '--role', 'root'], '--role is "root", but it must be user, auditor,'],
  [
    ['account', 'role', 'a@b.test', 'root'],
    'ROLE is "root", but it must be user, auditor, operator, finance or admin.',
  ],
  [
    ['account', 'credit', '--email', 'a@b.test', '--amount', 'ten'],
    '--amount is "ten", but it must be an amount of USD',
  ],
  [['account', 'credit', '--email', 'a@b.test', '--amount', '0'], 'other than zero'],
  [
    ['key', 'create', '--account', 'a', '--name', 'k', '--group', 'g', '--quota-limit', '1e3'],
    '--quota-limit is "1e3", but it must be an amount of USD',
  ],
  [
    ['key', 'create', '--account', 'a', '--name', 'k', '--group', 'g', '--spend', '6h=5'],
    '--spend is "6h=5", but it must be one of 5h, 1d, 7d.',
  ],
  [
    ['key', 'create', '--account', 'a', '--name', 'k', '--group', 'g', '--concurrency', '1.5'],
    '--concurrency is "1.5", but it must be a whole number',
  ],
  [
    ['key', 'create', '--account', 'a', '--name', 'k', '--group', 'g', '--allowed-ips', '10.0.0.0/8,nowhere'],
    '--allowed-ips is "10.0.0.0/8,nowhere", but it must be an IP address',
  ],
  [
    ['key', 'create', '--account', 'a', '--name', 'k', '--group', 'g', '--expires-at', 'tomorrow'],
    '--expires-at is "tomorrow", but it must be a time such as',
  ],
] as const)('%j ends with 2 and one sentence', async ([args, sentence]) => {
  const result = await run(...args)
  expect(result.remarked).toContain(sentence)
  expect(result.remarked.trim().split('\n')).toHaveLength(1)
  expect(result).toMatchObject({ code: 2, printed: '' })
})

test.for([
  [['account', 'list'], 'TOLLGATE_DATA_DIR is "/nowhere/at/all", but it holds no database'],
  [['check-ledger'], 'it holds no database'],
  [['key', 'delete', 'key_1'], 'it holds no database'],
  [['import', 'new-api', '/nowhere/new-api.db'], 'There is no file "/nowhere/new-api.db"'],
] as const)('%j ends with 1 and one sentence', async ([args, sentence]) => {
  const result = await run(...args)
  expect(result.remarked).toContain(sentence)
  expect(result).toMatchObject({ code: 1, printed: '' })
})

test('a wrong environment ends every command with its sentence', async () => {
  const { host, remarked } = cliHostByHand({ environment: { PORT: 'x' } })
  expect(await runCommandLine(['account', 'list'], host)).toBe(1)
  expect(remarked.join('')).toBe(
    'PORT is "x", but it must be a whole number from 0 to 65535: correct it or unset it.\n',
  )
})

test('values of flags come with "=", after a space, repeated and with commas', () => {
  const args = 'key create --account=a@b.test --group default --spend 5h=5 --spend 7d=20,1d=10 --json'.split(' ')
  const { text, list, has } = call(...args, '--name', 'my key', '--allowed-models', 'a, b')
  expect(text('account')).toBe('a@b.test')
  expect(text('name')).toBe('my key')
  expect(list('spend')).toEqual(['5h=5', '7d=20', '1d=10'])
  expect(list('allowed-models')).toEqual(['a', 'b'])
  expect(text('quota-limit')).toBeNull()
  expect([has('json'), has('custom-key-stdin')]).toEqual([true, false])
})

test('operands stand where they stand', () => {
  expect(call('key', 'delete', 'key_1').operands).toEqual(['key_1'])
  expect(() => call('account', 'list', 'x')).toThrow(UsageError)
  for (const amount of ['-5', '5']) {
    expect(call('account', 'adjust', 'a@b.test', amount, '--reason', 'x').operands).toEqual(['a@b.test', amount])
    expect(call('account', 'adjust', '--reason=x', 'a@b.test', amount).operands).toEqual(['a@b.test', amount])
  }
  expect(() => call('account', 'adjust', 'a@b.test', '5', '--reason', '-5')).toThrow('--reason needs a value')
})

test('help names every command and every variable, and each command’s help every flag', async () => {
  const { code, printed } = await run('help')
  expect(code).toBe(0)
  for (const { words } of COMMANDS) expect(printed).toContain(`\n  ${words} `)
  for (const { name } of VARIABLES) expect(printed).toContain(`\n  ${name} `)
  for (const { words, flags = {} } of COMMANDS) {
    const help = await run('help', ...words.split(' '))
    const other = await run(...words.split(' '), '--help')
    expect(other).toEqual(help)
    for (const flag of Object.keys(flags)) expect(help.printed).toContain(`--${flag}`)
  }
})

test('the version is that of the package', async () => {
  const { code, printed } = await run('--version')
  expect(code).toBe(0)
  expect(printed).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('every command loads', async () => {
  for (const command of COMMANDS) expect(await command.load(), command.words).toBeTypeOf('function')
})
