/** What this computer knows of its sign-ins, one folder a gateway. */
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { Failure, type Host } from '../host.ts'
import { folderNameOf } from '../gateway/address.ts'
import { dataFolder } from './folder.ts'
import { decryptForUser, encryptForUser, keychainOf, type VaultKind } from './vault.ts'
import { PRIVATE_MODE, readRecord, readText, removeFile, replaceFile } from './whole-file.ts'

export interface SignIn {
  readonly address: string
  readonly email: string | null
  readonly tokenEndpoint: string
  readonly revocationEndpoint: string | null
  readonly vault: VaultKind
}

/** An access token as it is kept; `ended` where the gateway has ended the sign-in. */
export type Access =
  | { readonly token: string; readonly expiresAtMs: number; readonly renewedAtMs: number }
  | { readonly ended: string }

/** The folder of a gateway. */
export function gatewayFolder(host: Host, address: string): string {
  return host.paths.join(dataFolder(host), 'gateways', folderNameOf(address))
}

function fileOf(host: Host, address: string, name: string): string {
  return host.paths.join(gatewayFolder(host, address), name)
}

/** The path of the lock under which tokens are renewed. */
export function lockOf(host: Host, address: string): string {
  return fileOf(host, address, 'lock')
}

/** The sign-in at a gateway; null where there is none. */
export function readSignIn(host: Host, address: string): SignIn | null {
  return signInFrom(readRecord(fileOf(host, address, 'sign-in.json')))
}

function signInFrom(record: Readonly<Record<string, unknown>> | null): SignIn | null {
  if (record === null) return null
  const { address, email, token_endpoint, revocation_endpoint, vault } = record
  if (typeof address !== 'string' || typeof token_endpoint !== 'string') return null
  return {
    address,
    email: typeof email === 'string' ? email : null,
    tokenEndpoint: token_endpoint,
    revocationEndpoint: typeof revocation_endpoint === 'string' ? revocation_endpoint : null,
    vault: vault === 'keychain' || vault === 'encrypted_file' ? vault : 'file',
  }
}

/** All sign-ins of this computer, by address. */
export function listSignIns(host: Host): readonly SignIn[] {
  const folder = host.paths.join(dataFolder(host), 'gateways')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .map((name) => signInFrom(readRecord(host.paths.join(folder, name, 'sign-in.json'))))
    .filter((signIn) => signIn !== null)
    .sort((a, b) => (a.address < b.address ? -1 : 1))
}

/** Keeps a new sign-in and makes it the one that commands take where none is named. Returns where its secret went. */
export async function keepSignIn(host: Host, signIn: Omit<SignIn, 'vault'>, refreshToken: string): Promise<SignIn> {
  const vault = await keepFirst(host, signIn.address, refreshToken)
  const record = {
    address: signIn.address,
    email: signIn.email,
    token_endpoint: signIn.tokenEndpoint,
    revocation_endpoint: signIn.revocationEndpoint,
    vault,
  }
  write(host, fileOf(host, signIn.address, 'sign-in.json'), record)
  write(host, currentFile(host), { address: signIn.address })
  return { ...signIn, vault }
}

function currentFile(host: Host): string {
  return host.paths.join(dataFolder(host), 'current.json')
}

/** The sign-in that a command is about: the named one, the last that was made, or the only one. Throws where there is none. */
export function chosenSignIn(host: Host, named: string | null): SignIn {
  if (named !== null) {
    const signIn = readSignIn(host, named)
    if (signIn === null) throw new Failure(`You are not signed in at ${named}: run ${loginCommand(named)}`)
    return signIn
  }
  const current = readRecord(currentFile(host))?.['address']
  const last = typeof current === 'string' ? readSignIn(host, current) : null
  if (last !== null) return last
  const all = listSignIns(host)
  const [only] = all
  if (only === undefined)
    throw new Failure('You are not signed in: run tollgate login with the address of your gateway.')
  if (all.length === 1) return only
  throw new Failure(
    `You are signed in at several gateways: name one with --gateway (${all.map((each) => each.address).join(', ')}).`,
  )
}

/** The command that signs in, as it works on a computer without anything but Node.js. */
export function loginCommand(address: string): string {
  return `npx -y ${address}/client.tgz login ${address}`
}

/** Tries the vaults of the system in turn: what was stored has to be readable again. */
async function keepFirst(host: Host, address: string, secret: string): Promise<VaultKind> {
  const keychain = keychainOf(host)
  if (keychain !== null && (await keychain.store(address, secret)) && (await keychain.read(address)) === secret) {
    removeFile(fileOf(host, address, 'refresh'))
    return 'keychain'
  }
  if (host.system === 'windows' && (await keepEncrypted(host, address, secret))) return 'encrypted_file'
  writeSecret(host, address, secret)
  return 'file'
}

async function keepEncrypted(host: Host, address: string, secret: string): Promise<boolean> {
  const encrypted = await encryptForUser(host, secret)
  if (encrypted !== null) writeSecret(host, address, encrypted)
  return encrypted !== null
}

function writeSecret(host: Host, address: string, text: string): void {
  replaceFile(fileOf(host, address, 'refresh'), `${text}\n`, { mode: PRIVATE_MODE, name: host.draw() })
}

/** Keeps the next refresh token where the one before is. */
export async function keepRefreshToken(host: Host, { address, vault }: SignIn, secret: string): Promise<void> {
  if (vault === 'keychain') {
    if ((await keychainOf(host)?.store(address, secret)) !== true) {
      throw new Failure('The keychain does not take the renewed sign-in: unlock it, then sign in again.')
    }
  } else if (vault === 'encrypted_file') {
    if (!(await keepEncrypted(host, address, secret)))
      throw new Failure('Windows does not encrypt the renewed sign-in.')
  } else {
    writeSecret(host, address, secret)
  }
}

/** The refresh token. Throws where the keychain does not give it now, which is not an end of the sign-in. */
export async function readRefreshToken(host: Host, { address, vault }: SignIn): Promise<string> {
  if (vault === 'keychain') {
    const secret = await keychainOf(host)?.read(address)
    if (secret === undefined || secret === null) {
      throw new Failure('The keychain does not give the sign-in: unlock it, or sign in again.')
    }
    return secret
  }
  const text = readText(fileOf(host, address, 'refresh'))?.trim() ?? ''
  if (text === '')
    throw new Failure(`The sign-in at ${address} is not on this computer any more: run ${loginCommand(address)}`)
  return vault === 'encrypted_file' ? decryptForUser(host, text) : text
}

/** The access token that is kept; null where there is none. */
export function readAccess(host: Host, address: string): Access | null {
  const record = readRecord(fileOf(host, address, 'access.json'))
  if (record === null) return null
  const { access_token, expires_at_ms, renewed_at_ms, ended } = record
  if (typeof ended === 'string') return { ended }
  if (typeof access_token !== 'string' || typeof expires_at_ms !== 'number' || typeof renewed_at_ms !== 'number')
    return null
  return { token: access_token, expiresAtMs: expires_at_ms, renewedAtMs: renewed_at_ms }
}

export function keepAccess(host: Host, address: string, access: Access): void {
  const record =
    'ended' in access
      ? access
      : { access_token: access.token, expires_at_ms: access.expiresAtMs, renewed_at_ms: access.renewedAtMs }
  write(host, fileOf(host, address, 'access.json'), record)
}

/** Notes that a token is asked for, and returns when one was asked for before; null: not since the sign-in. */
export function noteAsked(host: Host, address: string): number | null {
  return noteTime(host, fileOf(host, address, 'asked'))
}

/** Notes that a token is renewed before its time, and returns when that was done before. */
export function noteEarlyRenewal(host: Host, address: string): number | null {
  return noteTime(host, fileOf(host, address, 'renewed-early'))
}

/** The time is that of an empty file: setting it is one call of the system. */
function noteTime(host: Host, path: string): number | null {
  const beforeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null
  if (beforeMs === null) replaceFile(path, '', { mode: PRIVATE_MODE, name: host.draw() })
  const now = new Date(host.nowMs())
  utimesSync(path, now, now)
  return beforeMs
}

/** Forgets a gateway, its secrets first. */
export async function forgetSignIn(host: Host, signIn: SignIn): Promise<void> {
  if (signIn.vault === 'keychain') await keychainOf(host)?.remove(signIn.address)
  removeFile(gatewayFolder(host, signIn.address))
  if (readRecord(currentFile(host))?.['address'] === signIn.address) removeFile(currentFile(host))
}

/** Forgets the refresh token of a sign-in that has ended. */
export async function forgetRefreshToken(host: Host, signIn: SignIn): Promise<void> {
  if (signIn.vault === 'keychain') await keychainOf(host)?.remove(signIn.address)
  removeFile(fileOf(host, signIn.address, 'refresh'))
}

function write(host: Host, path: string, record: object): void {
  replaceFile(path, `${JSON.stringify(record)}\n`, { mode: PRIVATE_MODE, name: host.draw() })
}
