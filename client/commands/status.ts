import { Failure, type Host } from '../host.ts'
import { type DeviceState, fullestPercent, type Limit, readDevice } from '../gateway/device.ts'
import { chosenSignIn, gatewayFolder, listSignIns, readAccess, type SignIn } from '../kept/sign-in-store.ts'
import { PRIVATE_MODE, readRecord, replaceFile } from '../kept/whole-file.ts'
import { clientStates } from '../clients/client-states.ts'

/** A status line is drawn after every answer: the gateway is asked once in this time. */
const LINE_AGE_MS = 60_000

export interface StatusOptions {
  readonly gateway: string | null
  readonly form: 'text' | 'json' | 'line'
}

/** Shows the balance, the limits with their resets, the last requests, and what is wrong with each client. */
export async function status(host: Host, { gateway, form }: StatusOptions): Promise<number> {
  if (form === 'line') {
    host.print(`${await statusLine(host, gateway)}\n`)
    return 0
  }
  const signIn = chosenSignIn(host, gateway)
  const state = await readDevice(host, signIn)
  const clients = await clientStates(host)
  if (form === 'json') {
    const gateways = listSignIns(host).map(({ address }) => address)
    host.print(`${JSON.stringify({ gateway: signIn.address, ...asJson(state), clients, gateways }, null, 2)}\n`)
    return 0
  }
  host.print(`${statusText(signIn, state).join('\n')}\n`)
  for (const { name, gateway: place, wrong } of clients) {
    host.print(`${name}: ${wrong ?? 'set up'}${place === signIn.address ? '' : ` (for ${place})`}\n`)
  }
  const others = listSignIns(host).filter(({ address }) => address !== signIn.address)
  for (const { address } of others) host.print(`Also signed in at ${address}\n`)
  return 0
}

/** The names that the API has for the same; amounts are decimals to the cent. */
function asJson({ email, device, group, models, balance, limits, recent }: DeviceState): object {
  const plain = (amount: string | null): string | null => amount?.replace('$', '') ?? null
  return {
    email,
    device,
    group,
    models,
    balance_usd: plain(balance),
    limits: limits.map(({ name, spent, limit, resetsAt }) => {
      return { name, spent_usd: plain(spent), limit_usd: plain(limit), resets_at: resetsAt }
    }),
    recent: recent.map(({ at, model, cost, fault }) => ({ at, model, cost_usd: plain(cost), fault })),
  }
}

function statusText(signIn: SignIn, state: DeviceState): readonly string[] {
  const who = state.email ?? signIn.email
  return [
    `${signIn.address}${who === null ? '' : ` as ${who}`}${state.group === null ? '' : `, group ${state.group}`}`,
    ...(state.balance === null ? [] : [`Balance: ${state.balance}`]),
    ...limitLines(state),
    ...state.recent.map(({ at, model, cost, fault }) => {
      const end = fault === null ? '' : `  ${fault}`
      return `${at.slice(0, 19).replace('T', ' ')} UTC  ${model}  ${cost ?? '–'}${end}`
    }),
  ]
}

/** A line for each limit, with what is spent and when it resets. */
export function limitLines({ limits }: { readonly limits: readonly Limit[] }): readonly string[] {
  return limits.map(({ name, spent, limit, resetsAt }) => {
    const until = resetsAt === null ? '' : `, resets ${resetsAt.slice(0, 16).replace('T', ' ')} UTC`
    return `${name}: ${spent} of ${limit} spent${until}`
  })
}

/** One short line, which never fails: what draws it has no room for an error. */
async function statusLine(host: Host, gateway: string | null): Promise<string> {
  try {
    const signIn = chosenSignIn(host, gateway)
    const access = readAccess(host, signIn.address)
    if (access !== null && 'ended' in access) return 'Tollgate: signed out'
    return await keptLine(host, signIn)
  } catch (error) {
    return error instanceof Failure ? 'Tollgate: not reached' : 'Tollgate'
  }
}

async function keptLine(host: Host, signIn: SignIn): Promise<string> {
  const path = host.paths.join(gatewayFolder(host, signIn.address), 'line.json')
  const kept = readRecord(path)
  const { at_ms, line } = kept ?? {}
  const ageMs = typeof at_ms === 'number' ? host.nowMs() - at_ms : Infinity
  if (typeof line === 'string' && ageMs >= 0 && ageMs < LINE_AGE_MS) return line
  const state = await readDevice(host, signIn)
  const fullest = fullestPercent(state)
  const parts = [
    ...(state.balance === null ? [] : [`${state.balance} left`]),
    ...(fullest === null ? [] : [`${fullest.percent}% of ${fullest.name}`]),
  ]
  const fresh = `Tollgate${parts.length === 0 ? '' : `: ${parts.join(' · ')}`}`
  replaceFile(path, JSON.stringify({ at_ms: host.nowMs(), line: fresh }), { mode: PRIVATE_MODE, name: host.draw() })
  return fresh
}
