import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, posix, win32 } from 'node:path'
import { expect, test } from 'vitest'
import { handHost } from '../../test/support/client-host.ts'
import type { ProgramCall, System } from '../host.ts'
import { dataFolder } from './folder.ts'
import { quoted, tokenCommand } from './own-copy.ts'
import { keepRefreshToken, keepSignIn, readRefreshToken } from './sign-in-store.ts'
import { readText, replaceFile } from './whole-file.ts'

test.each([
  ['linux', '/home/ada', {}, '/home/ada/.local/share/tollgate-client'],
  ['linux', '/home/ada', { XDG_DATA_HOME: '/srv/share' }, '/srv/share/tollgate-client'],
  ['linux', '/home/ada', { XDG_DATA_HOME: 'relative' }, '/home/ada/.local/share/tollgate-client'],
  ['macos', '/Users/ada', {}, '/Users/ada/.local/share/tollgate-client'],
  ['windows', 'C:\\Users\\ada', {}, 'C:\\Users\\ada\\AppData\\Local\\tollgate-client'],
  ['windows', 'C:\\Users\\ada', { LOCALAPPDATA: 'D:\\Local' }, 'D:\\Local\\tollgate-client'],
] as const)('on %s with the home %s and %j, files are kept in %s', (...[system, home, env, folder]) => {
  expect(dataFolder({ system, home, env, paths: system === 'windows' ? win32 : posix })).toBe(folder)
})

test.each([
  ['linux', '/home/ada/my node/bin/node', "'/home/ada/my node/bin/node' "],
  ['linux', "/home/o'hara/node", `'/home/o'\\''hara/node' `],
  ['windows', 'C:\\Program Files\\nodejs\\node.exe', '"C:\\Program Files\\nodejs\\node.exe" '],
] as const)('on %s the command of the token keeps the path %s together', (system, node, start) => {
  const place = system === 'windows' ? { home: 'C:\\Users\\ada', paths: win32 } : { home: '/home/ada', paths: posix }
  const host = { ...handHost({ system }), node, ...place }
  expect(tokenCommand(host, 'https://gateway.example.com').startsWith(start)).toBe(true)
  expect(tokenCommand(host, 'https://gateway.example.com')).toMatch(
    /tollgate\.cjs"? token --gateway https:\/\/gateway\.example\.com$/,
  )
})

test('a word that no quotation marks keep together is refused', () => {
  expect(() => quoted({ system: 'windows' }, 'C:\\100%\\node.exe')).toThrow('no command of Windows')
  expect(() => quoted({ system: 'linux' }, 'a\nb')).toThrow('control character')
})

const SIGN_IN = {
  address: 'https://gateway.example.com',
  email: null,
  tokenEndpoint: 'https://gateway.example.com/oauth/token',
  revocationEndpoint: null,
}

/** A keychain, played: what each call stores and gives back. */
function keychain(system: System) {
  const held = new Map<string, string>()
  return ({ program, args, input = '' }: ProgramCall) => {
    if (system === 'macos') {
      const [, account = '', hex = ''] = /-a "([^"]+)" -X ([0-9a-f]+)\n$/.exec(input) ?? []
      if (args[0] === '-i') held.set(account, Buffer.from(hex, 'hex').toString())
      const found = held.get(args[args.indexOf('-a') + 1] ?? '')
      return args[0] === '-i' ? { code: 0 } : { code: found === undefined ? 44 : 0, stdout: `${found}\n` }
    }
    if (program === 'secret-tool') {
      if (args[0] === 'store') held.set(args.at(-1) ?? '', input)
      return { code: 0, stdout: held.get(args.at(-1) ?? '') ?? '' }
    }
    const isEncrypting = args.at(-1)?.includes('::Protect(') === true
    const [from, to] = isEncrypting ? (['utf8', 'base64'] as const) : (['base64', 'utf8'] as const)
    return { code: 0, stdout: `${Buffer.from(input, from).toString(to)}\r\n` }
  }
}

test.each([
  ['macos', {}, 'keychain'],
  ['linux', { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus' }, 'keychain'],
  ['windows', {}, 'encrypted_file'],
  ['linux', {}, 'file'],
] as const)(
  'on %s with %j the refresh token is in the %s, and in no argument of a program',
  async (system, env, vault) => {
    const host = handHost({ system, env, run: keychain(system) })
    const signIn = await keepSignIn(host, SIGN_IN, 'tg-drt-1')
    expect(signIn.vault).toBe(vault)
    await keepRefreshToken(host, signIn, 'tg-drt-2')
    expect(await readRefreshToken(host, signIn)).toBe('tg-drt-2')
    expect(host.calls.flatMap(({ args }) => args).filter((each) => /tg-drt|74672d647274/.test(each))).toEqual([])
  },
)

test('a keychain that does not give back what it took is not used', async () => {
  const host = handHost({ system: 'macos', run: () => ({ code: 0, stdout: '' }) })
  expect((await keepSignIn(host, SIGN_IN, 'tg-drt-1')).vault).toBe('file')
})

test('a file is replaced as a whole, and a folder that cannot be written leaves it as it was', () => {
  const { home } = handHost()
  const path = join(home, 'deep', 'file')
  replaceFile(path, 'one', { mode: 0o600, name: 'a' })
  replaceFile(path, 'two', { mode: 0o600, name: 'b' })
  expect(readdirSync(join(home, 'deep'))).toEqual(['file'])
  mkdirSync(join(home, 'file.c.tmp'))
  writeFileSync(join(home, 'file'), 'kept')
  expect(() => replaceFile(join(home, 'file'), 'three', { mode: 0o600, name: 'c' })).toThrow(/cannot be written/)
  expect(() => replaceFile(join(path, 'inside'), 'four', { mode: 0o600, name: 'd' })).toThrow(/cannot be written/)
  expect([readFileSync(join(home, 'file'), 'utf8'), readFileSync(path, 'utf8')]).toEqual(['kept', 'two'])
  expect(readText(join(home, 'none'))).toBeNull()
})
