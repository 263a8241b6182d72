/** The keychain of the system, for the one secret that lives for months. Secrets go to programs by stdin, never as arguments. */
import { Failure, type Host, variable } from '../host.ts'

/** Where a refresh token is kept: in the keychain, in a file that only this user's Windows can decrypt, or in a plain file. */
export type VaultKind = 'keychain' | 'encrypted_file' | 'file'

const WITHIN_MS = 15_000

interface Keychain {
  store(account: string, secret: string): Promise<boolean>
  read(account: string): Promise<string | null>
  remove(account: string): Promise<void>
}

/** The keychain of this system; null where it has none that can be reached without a person. */
export function keychainOf(host: Host): Keychain | null {
  if (variable(host, 'TOLLGATE_CLIENT_KEYCHAIN') === 'none') return null
  if (host.system === 'macos') return macKeychain(host)
  // Without a session there is no service behind the program, and asking for one may wait for a window.
  const hasSession = variable(host, 'DBUS_SESSION_BUS_ADDRESS') !== undefined
  return host.system === 'linux' && hasSession ? secretService(host) : null
}

function macKeychain(host: Host): Keychain {
  const security = (args: readonly string[], input?: string) =>
    host.run({ program: '/usr/bin/security', args, ...(input === undefined ? {} : { input }), withinMs: WITHIN_MS })
  return {
    async store(account, secret) {
      // In hexadecimal: no character of it means anything to the program that reads the line.
      const hex = Buffer.from(secret).toString('hex')
      const { code } = await security(['-i'], `add-generic-password -U -s tollgate -a "${account}" -X ${hex}\n`)
      return code === 0
    },
    async read(account) {
      const { code, stdout } = await security(['find-generic-password', '-s', 'tollgate', '-a', account, '-w'])
      return code === 0 ? stdout.trim() : null
    },
    async remove(account) {
      await security(['delete-generic-password', '-s', 'tollgate', '-a', account])
    },
  }
}

function secretService(host: Host): Keychain {
  const tool = (args: readonly string[], input?: string) =>
    host.run({ program: 'secret-tool', args, ...(input === undefined ? {} : { input }), withinMs: WITHIN_MS })
  const names = (account: string): readonly string[] => ['service', 'tollgate', 'gateway', account]
  return {
    async store(account, secret) {
      const { code } = await tool(['store', '--label', `Tollgate: ${account}`, ...names(account)], secret)
      return code === 0
    },
    async read(account) {
      const { code, stdout } = await tool(['lookup', ...names(account)])
      return code === 0 && stdout.trim() !== '' ? stdout.trim() : null
    },
    async remove(account) {
      await tool(['clear', ...names(account)])
    },
  }
}

const LOAD = 'Add-Type -AssemblyName System.Security; $text = [Console]::In.ReadToEnd().Trim();'
const ENCRYPT = `${LOAD} [Convert]::ToBase64String([Security.Cryptography.ProtectedData]::Protect([Text.Encoding]::UTF8.GetBytes($text), $null, 'CurrentUser'))`
const DECRYPT = `${LOAD} [Text.Encoding]::UTF8.GetString([Security.Cryptography.ProtectedData]::Unprotect([Convert]::FromBase64String($text), $null, 'CurrentUser'))`

/** The text, encrypted for this user of Windows (DPAPI); null where that is not possible. */
export async function encryptForUser(host: Host, text: string): Promise<string | null> {
  return powershell(host, ENCRYPT, text)
}

/** What `encryptForUser` encrypted. Throws where this user cannot decrypt it now. */
export async function decryptForUser(host: Host, text: string): Promise<string> {
  const plain = await powershell(host, DECRYPT, text)
  if (plain === null) throw new Failure('Windows does not decrypt the sign-in for this user: sign in again.')
  return plain
}

async function powershell(host: Host, script: string, input: string): Promise<string | null> {
  const root = variable(host, 'SystemRoot') ?? 'C:\\Windows'
  const program = host.paths.join(root, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe')
  const args = ['-NoProfile', '-NonInteractive', '-Command', script]
  const { code, stdout } = await host.run({ program, args, input, withinMs: WITHIN_MS })
  return code === 0 && stdout.trim() !== '' ? stdout.trim() : null
}
