import { addressKey } from '../../access/address-key.ts'
import { type Device, type DeviceSecret, endOfDevice } from '../../access/device.ts'
import { readUserCode } from '../../access/device-tokens.ts'
import {
  device,
  deviceApproval,
  deviceRequest,
  type DeviceRequestView,
  devices,
  devicesQuery,
  type DeviceView,
} from '../../contract/devices.ts'
import type { DeviceTerms } from '../../core/device-limits.ts'
import { deviceDenied, deviceSecretDeleted, deviceSignedOut } from '../audit/device-notes.ts'
import { timeOnWire, timeOrNull } from '../api/wire-forms.ts'
import { type ApiCall, type ApiRoute, routesOf } from '../api/route.ts'
import { approvedDevice } from '../keys/create-device.ts'
import type { ControlParts } from '../parts.ts'
import { confirmationNeeded, fieldProblem, notFound, Problem } from '../problem.ts'
import { readSettings } from '../settings/instance-settings.ts'
import { deviceTerms } from '../settings/upkeep-settings.ts'
import { isFresh } from '../sign-in/session/freshness.ts'
import { readKeyView } from '../views/key-view.ts'
import { accountMeant, isStaff, owned, ownAccount } from '../who/actor.ts'

const route = routesOf('Keys')

const readRequest = route('get /api/device-requests/{code}', {
  summary: 'Read a sign-in that waits for approval',
  description:
    'By the code that the program shows. Ten wrong codes within ten minutes, of an account or from a network, and no other is looked at until they are over.',
  who: 'account',
  problems: ['account_needed', 'too_many_requests'],
  answer: deviceRequest,
  async handle(call, parts): Promise<DeviceRequestView> {
    const { code, request } = await waiting(call, parts)
    const { device_idle_days: idle_days, device_max_days: max_days } = await readSettings(parts.store.settings)
    return {
      code,
      client: request.client,
      machine: request.machine,
      asked_from: request.askedFrom,
      asked_at: timeOnWire(request.askedAt),
      expires_at: timeOnWire(request.expiresAt),
      same_network: isSameNetwork(request.askedFrom, call.address),
      idle_days,
      max_days,
    }
  },
})

const approve = route('post /api/device-requests/{code}/approve', {
  summary: 'Approve a sign-in',
  description:
    'Signs the program in with an API key of the kind `device`. It takes a session: no token of any kind can make another. Admins confirm who they are.',
  who: 'account',
  limits: { needsSession: true, isRepeatable: false },
  problems: ['account_needed', 'too_many_requests', 'too_many_devices', 'confirmation_needed'],
  body: deviceApproval,
  answer: device,
  async handle(call, parts) {
    const { code, request } = await waiting(call, parts)
    if (call.actor.kind === 'session' && isStaff(call.actor) && !isFresh(call.actor.session, call.nowMs)) {
      throw confirmationNeeded()
    }
    const { typed_code: typed, ...settings } = call.body
    const needsTyping = !isSameNetwork(request.askedFrom, call.address)
    if ((needsTyping || typed !== undefined) && readUserCode(typed ?? '') !== code) {
      throw fieldProblem('typed_code', 'typed_code must be the code that the program shows.')
    }
    const account = ownAccount(call.actor)
    const approved = await approvedDevice({ ...call, settings, request, account }, parts)
    const terms = deviceTerms(await readSettings(parts.store.settings))
    return deviceOnWire(approved, { secrets: [], terms, parts, nowMs: call.nowMs })
  },
})

const deny = route('post /api/device-requests/{code}/deny', {
  summary: 'Refuse a sign-in',
  who: 'account',
  limits: { needsSession: true, isRepeatable: false },
  problems: ['account_needed', 'too_many_requests'],
  async handle(call, parts) {
    const { request } = await waiting(call, parts)
    const { id } = ownAccount(call.actor)
    await call.change(async (stores, audit) => {
      const isDenied = await stores.devices.decide(request.userCodeHash, { state: 'denied' }, call.nowMs)
      if (!isDenied) throw notFound('sign-in')
      await audit(deviceDenied(request, id))
    })
  },
})

const list = route('get /api/devices', {
  summary: 'List signed-in devices',
  description: 'The newest first: at most as many as an account may have.',
  who: 'account',
  problems: ['account_needed', 'role_insufficient'],
  query: devicesQuery,
  answer: devices,
  async handle(call, parts) {
    const found = await parts.store.devices.list(accountMeant(call, call.query.account_id) ?? '')
    const secrets = await parts.store.devices.secretsOf(found.map(({ keyId }) => keyId))
    const terms = deviceTerms(await readSettings(parts.store.settings))
    const shown = found.map((each) => deviceOnWire(each, { secrets, terms, parts, nowMs: call.nowMs }))
    return { data: await Promise.all(shown) }
  },
})

const signOut = route('delete /api/devices/{id}', {
  summary: 'Sign a device out',
  description:
    'Refused on every node before the call returns, with all of its tokens and secrets; running streams are cut. What it used stays in the books.',
  who: 'account',
  async handle(call, parts) {
    await signedOut([owned(call, await signedIn(call.params.id, parts), 'device')], call)
  },
})

const signOutAll = route('post /api/devices/sign-out', {
  summary: 'Sign all devices out',
  description: 'Those of the account alone.',
  who: 'account',
  problems: ['account_needed', 'role_insufficient'],
  query: devicesQuery,
  async handle(call, parts) {
    await signedOut(await parts.store.devices.list(accountMeant(call, call.query.account_id) ?? ''), call)
  },
})

const deleteSecret = route('delete /api/devices/{id}/secrets/{secret}', {
  summary: 'Delete a secret of a device',
  description: 'The client that keeps it is refused on every node before the call returns; the device stays signed in.',
  who: 'account',
  async handle(call, parts) {
    const found = owned(call, await signedIn(call.params.id, parts), 'device')
    const change = await call.change(async (stores, audit) => {
      const deleted = await stores.devices.deleteSecret(found.keyId, call.params.secret)
      if (deleted === null) throw notFound('secret')
      await audit(deviceSecretDeleted(found))
      return deleted
    })
    await call.reachNodes(change)
  },
})

export const deviceRoutes: readonly ApiRoute[] = [readRequest, approve, deny, list, signOutAll, signOut, deleteSecret]

type OfAccount = Pick<ApiCall<'account'>, 'actor' | 'address' | 'nowMs'> & {
  readonly params: { readonly code: string }
}

/** Throws Problem. */
async function waiting(call: OfAccount, parts: ControlParts) {
  const { address, nowMs } = call
  const { store, hashes } = parts
  if (!(await readSettings(store.settings)).device_sign_in) {
    throw new Problem('not_found', 'Sign-in from programs is turned off on this server.')
  }
  const lookUp = { devices: store.devices, hash: hashes.deviceCode }
  return parts.deviceCodes.find(call.params.code, { account: ownAccount(call.actor), address, nowMs }, lookUp)
}

async function signedIn(keyId: string, { store }: ControlParts): Promise<Device | null> {
  const [found, key] = await Promise.all([store.devices.find(keyId), store.keys.findById(keyId)])
  return key === null || key.status === 'deleted' ? null : found
}

async function signedOut(
  found: readonly Device[],
  call: Pick<ApiCall, 'change' | 'reachNodes' | 'nowMs'>,
): Promise<void> {
  const changes = await call.change(async ({ keys }, audit) => {
    const made = []
    for (const each of found) {
      const deleted = await keys.setStatus(each.keyId, 'deleted', call.nowMs)
      if (deleted !== null) await audit(deviceSignedOut(each))
      made.push(deleted)
    }
    return made
  })
  await call.reachNodes(...changes)
}

function isSameNetwork(one: string, other: string): boolean {
  return addressKey(one) === addressKey(other)
}

async function deviceOnWire(
  of: Device,
  context: {
    readonly secrets: readonly DeviceSecret[]
    readonly terms: DeviceTerms
    readonly parts: ControlParts
    readonly nowMs: number
  },
): Promise<DeviceView> {
  const { secrets, terms, parts, nowMs } = context
  const key = await parts.store.keys.findById(of.keyId)
  if (key === null) throw notFound('device')
  return {
    key: await readKeyView(key, parts.store, nowMs),
    client: of.client,
    machine: of.machine,
    approved_at: timeOnWire(of.approvedAt),
    asked_from: of.askedFrom,
    approved_from: of.approvedFrom,
    refreshed_at: timeOrNull(of.refreshedAt),
    refreshed_from: of.refreshedFrom,
    ends_at: timeOnWire(endOfDevice(of, terms)),
    secrets: secrets
      .filter(({ keyId }) => keyId === of.keyId)
      .map((secret) => ({
        id: secret.id,
        client: secret.client,
        secret_start: secret.secretStart,
        secret_end: secret.secretEnd,
        created_at: timeOnWire(secret.createdAt),
      })),
  }
}
