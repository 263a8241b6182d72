/** Claude Code's own sign-in, as a person goes through it in a terminal. */
import type { Person } from '../../browser/place.ts'
import type { Computer } from './computer.ts'
import type { SignInPlace } from './sign-in-place.ts'
import { openTerminal, type Terminal } from './terminal.ts'

interface Login {
  readonly person: Person
  readonly settings?: object
}

/** Names the gateway, then starts Claude Code for the first time, which signs in by itself. Resolves at its prompt. */
export async function firstStart(
  computer: Computer,
  place: SignInPlace,
  login: Login,
): Promise<Terminal & { readonly device: string }> {
  const settings = { forceLoginMethod: 'gateway', forceLoginGatewayUrl: place.origin }
  await computer.put({ '.claude/settings.json': JSON.stringify(settings) })
  const terminal = await openTerminal(computer, 'claude')
  await terminal.choose('✔ Auto')
  const device = await approvedIn(terminal, place, login)
  await terminal.sees('Connected to Cloud gateway')
  await terminal.press('Enter')
  await terminal.sees('Security notes')
  await terminal.press('Enter')
  await terminal.choose('Yes, I trust this folder')
  await terminal.sees('? for shortcuts')
  return { ...terminal, device }
}

/** Goes from the gateway's address to the account; resolves with the device's id. */
export async function approvedIn(
  terminal: Terminal,
  place: SignInPlace,
  { person, settings = {} }: Login,
): Promise<string> {
  await terminal.sees(`Gateway:  ${place.origin}`)
  await terminal.press('Enter')
  if (/Trust gateway/.test(await terminal.sees(/Trust gateway|Code: /)))
    await terminal.choose('Yes, trust this gateway')
  const device = await place.approve(person, await terminal.sees(/Code: +\w{4}-\w{4}/), settings)
  await terminal.sees(`Signed in to Cloud gateway as ${person.email}`)
  await terminal.choose('Yes, continue')
  return device
}
