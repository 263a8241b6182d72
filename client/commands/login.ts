import { Failure, type Host, variable } from '../host.ts'
import { isOnThisComputer, readAddress } from '../gateway/address.ts'
import { type DeviceState, readDevice } from '../gateway/device.ts'
import { discover, type Endpoints, poll, type Request, requestCode, revoke, type Tokens } from '../gateway/oauth.ts'
import { shown } from '../gateway/shown.ts'
import { storedClients } from '../changes/change-record.ts'
import { keepOwnCopy } from '../kept/own-copy.ts'
import {
  forgetRefreshToken,
  keepAccess,
  keepSignIn,
  lockOf,
  readAccess,
  readRefreshToken,
  readSignIn,
  type SignIn,
} from '../kept/sign-in-store.ts'
import { underLock } from '../kept/lock.ts'
import { dataFolder } from '../kept/folder.ts'
import { limitLines } from './status.ts'

const MOST_NAME_CHARACTERS = 100

export interface LoginOptions {
  readonly typed: string
  readonly hasBrowser: boolean
  readonly deviceName: string | null
}

/** Signs this computer in: shows a code, waits until it is approved in a browser, and keeps the tokens. */
export async function login(host: Host, { typed, hasBrowser, deviceName }: LoginOptions): Promise<number> {
  const address = readAddress(typed)
  const endpoints = await discover(address)
  const device = shown(deviceName ?? host.computerName, MOST_NAME_CHARACTERS)
  const request = await requestCode(endpoints, { client: `tollgate ${host.version}`, device })
  await showRequest(host, request, hasBrowser)
  const tokens = await approved(host, endpoints, request)
  const signIn = await keep(host, { address, endpoints, tokens })
  keepOwnCopy(host)
  await greet(host, signIn)
  return 0
}

async function showRequest(host: Host, request: Request, hasBrowser: boolean): Promise<void> {
  host.print(`Your code: ${request.userCode}\n\nOpen ${request.page} in a browser, compare the code and approve.\n`)
  if (request.notice !== null) host.print(`${request.notice}\n`)
  if (hasBrowser && !(await openPage(host, request.pageWithCode ?? request.page))) {
    host.print('(No browser could be opened from here: any browser will do, also on another device.)\n')
  }
  host.print('Waiting for the approval …\n')
}

/** Opens a page by the program of the system, without a shell. Resolves with whether there was one. */
async function openPage(host: Host, page: string): Promise<boolean> {
  const call = OPENERS[host.system](page)
  const isBlind =
    host.system === 'linux' &&
    !['DISPLAY', 'WAYLAND_DISPLAY', 'BROWSER', 'WSL_DISTRO_NAME'].some((name) => variable(host, name) !== undefined)
  if (isBlind) return false
  return host.start(call)
}

const OPENERS = {
  linux: (page: string) => ({ program: 'xdg-open', args: [page] }),
  macos: (page: string) => ({ program: '/usr/bin/open', args: [page] }),
  windows: (page: string) => ({ program: 'rundll32.exe', args: ['url.dll,FileProtocolHandler', page] }),
} as const

async function approved(host: Host, endpoints: Endpoints, request: Request): Promise<Tokens> {
  const endsAtMs = host.nowMs() + request.withinMs
  for (let intervalMs = request.intervalMs; host.nowMs() < endsAtMs;) {
    await host.wait(intervalMs)
    const answer = await poll(endpoints, request)
    if ('accessToken' in answer) return answer
    intervalMs += answer.slowerByMs
  }
  throw new Failure('The code was not approved in time: run the command again.')
}

async function keep(
  host: Host,
  { address, endpoints, tokens }: { address: string; endpoints: Endpoints; tokens: Tokens },
): Promise<SignIn> {
  return underLock(lockOf(host, address), host, async () => {
    await endFormer(host, address)
    const { token: tokenEndpoint, revocation: revocationEndpoint } = endpoints
    const known = { address, email: tokens.email, tokenEndpoint, revocationEndpoint }
    const signIn = await keepSignIn(host, known, tokens.refreshToken)
    const nowMs = host.nowMs()
    keepAccess(host, address, {
      token: tokens.accessToken,
      expiresAtMs: nowMs + tokens.expiresInMs,
      renewedAtMs: nowMs,
    })
    return signIn
  })
}

/** Signs out what this computer was signed in with before, so that no second device stays behind in the list. */
async function endFormer(host: Host, address: string): Promise<void> {
  const former = readSignIn(host, address)
  if (former === null) return
  const access = readAccess(host, address)
  const hasEnded = access !== null && 'ended' in access
  const secret = hasEnded ? null : await readRefreshToken(host, former).catch(() => null)
  if (secret !== null && former.revocationEndpoint !== null) await revoke(former.revocationEndpoint, secret)
  await forgetRefreshToken(host, former)
}

async function greet(host: Host, signIn: SignIn): Promise<void> {
  const state = await readDevice(host, signIn).catch((error: unknown) =>
    String(error instanceof Error ? error.message : error),
  )
  const email = signIn.email ?? (typeof state === 'string' ? null : state.email)
  host.print(`\nSigned in at ${signIn.address}${email === null ? '' : ` as ${email}`}.\n`)
  if (typeof state === 'string') host.remark(`${state}\n`)
  else
    host.print(
      stateLines(state)
        .map((line) => `  ${line}\n`)
        .join(''),
    )
  if (signIn.vault === 'file') {
    host.print(
      `There is no keychain here, so the sign-in is kept in a file that only you can read, in ${dataFolder(host)}\n`,
    )
  }
  const again = storedClients(host, signIn.address)
  const command = `npx -y ${signIn.address}/client.tgz use`
  if (again.length > 0) {
    host.print(
      `The secrets of the sign-in before have ended. Write new ones: ${again.map((id) => `${command} ${id}`).join(', ')}\n`,
    )
  } else {
    host.print(`Next, set up the AI clients of this computer: ${command}\n`)
  }
  if (isOnThisComputer(signIn.address)) host.print('The gateway is on this computer, so only programs here reach it.\n')
}

function stateLines(state: DeviceState): readonly string[] {
  const { group, balance, models } = state
  return [
    ...(group === null ? [] : [`Group: ${group}`]),
    ...(models.length === 0
      ? []
      : [`Models: ${models.slice(0, 5).join(', ')}${models.length > 5 ? ` and ${models.length - 5} more` : ''}`]),
    ...(balance === null ? [] : [`Balance: ${balance}`]),
    ...limitLines(state),
  ]
}
