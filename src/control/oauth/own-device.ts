import type { KeyWithOwner } from '../../access/api-key.ts'
import { DEVICE_ACCESS_PREFIX, deviceHash } from '../../access/device-tokens.ts'
import type { Device } from '../../access/device.ts'
import { displayParts, newSecret } from '../../access/key-secret.ts'
import { endedToken, stopOf } from '../../access/key-stop.ts'
import { SECRETS_OF_DEVICE_LIMIT } from '../../core/device-limits.ts'
import { formatUsd } from '../../core/money.ts'
import { callableModels } from '../../entitlement/callable-models.ts'
import { type KeyFunds, readFunds } from '../../entitlement/key-funds.ts'
import { spendCaps } from '../../entitlement/spend-caps.ts'
import { deviceSecretAdded, deviceSecretDeleted } from '../audit/device-notes.ts'
import { readCatalogue } from '../catalogue.ts'
import type { ControlParts } from '../parts.ts'
import type { OAuthCall } from './oauth-call.ts'
import { OAuthError } from './oauth-error.ts'

const RECENT_SHOWN = 5
const MODELS_SHOWN = 1_000
const CLIENT_NAME = /^[\w .-]{1,64}$/

/** What a device is shown of itself by its access token: whose it is, what it may call, how its money stands. Throws OAuthError. */
export async function readOwnDevice(call: OAuthCall, parts: ControlParts): Promise<object> {
  const { found, device } = await deviceOfBearer(call, parts)
  const { key, account } = found
  const { store } = parts
  const catalogue = await readCatalogue(store)
  const [funds, secrets, recent] = await Promise.all([
    readFunds(found, { catalogue, budgets: store.budgets }, call.nowMs),
    store.devices.secretsOf([key.id]),
    store.usage.list({ accountId: account.id, keyId: key.id }, { after: null, limit: RECENT_SHOWN }),
  ])
  const models = callableModels(found, { catalogue, nowMs: call.nowMs })
  return {
    account: { email: account.email },
    device: { id: key.id, name: key.name, client: device.client, machine: device.machine },
    group: { name: catalogue.groupsById.get(key.groupId)?.name ?? '' },
    base_urls: { openai: `${call.askedOrigin}/v1`, anthropic: call.askedOrigin },
    models: models.slice(0, MODELS_SHOWN).map(({ model }) => model.name),
    balance_usd: formatUsd(funds.balance),
    limits: limitsOf(found, funds, call.nowMs),
    recent: recent.records.map(({ createdAt, model, cost, fault }) => ({
      at: new Date(createdAt).toISOString(),
      model,
      cost_usd: formatUsd(cost),
      fault,
    })),
    secrets: secrets.map(({ id, client, createdAt }) => ({
      id,
      client,
      created_at: new Date(createdAt).toISOString(),
    })),
  }
}

function limitsOf(found: KeyWithOwner, funds: KeyFunds, nowMs: number): readonly object[] {
  return spendCaps(found, funds, nowMs).map(({ period, limit, used, resetsAt }) => ({
    name: period,
    spent_usd: formatUsd(used),
    limit_usd: formatUsd(limit),
    resets_at: new Date(resetsAt).toISOString(),
  }))
}

/** Makes a secret for a client that takes no token; it is in this answer and in no other. Throws OAuthError. */
export async function addOwnSecret(call: OAuthCall, parts: ControlParts): Promise<object> {
  const { found, device } = await deviceOfBearer(call, parts)
  const client = call.form.get('client') ?? ''
  if (!CLIENT_NAME.test(client)) throw new OAuthError('invalid_request', 'client must name the client in a few words.')
  const secret = newSecret(parts.randomBytes)
  const { start: secretStart, end: secretEnd } = displayParts(secret)
  const made = { id: parts.newId('dsc'), keyId: found.key.id, client, secretStart, secretEnd, createdAt: call.nowMs }
  const isMade = await call.change(async ({ devices }, audit) => {
    const added = await devices.addSecret(made, parts.hashes.apiKey(secret), SECRETS_OF_DEVICE_LIMIT)
    if (added) await audit(deviceSecretAdded(device, client))
    return added
  })
  if (!isMade) {
    throw new OAuthError(
      'invalid_request',
      `A device has ${SECRETS_OF_DEVICE_LIMIT} secrets at most: end one that is not needed any more.`,
    )
  }
  return { id: made.id, secret }
}

/** Ends one of the device’s secrets on all nodes; one that is gone already is answered alike. Throws OAuthError. */
export async function deleteOwnSecret(call: OAuthCall, parts: ControlParts): Promise<object> {
  const { found, device } = await deviceOfBearer(call, parts)
  const change = await call.change(async ({ devices }, audit) => {
    const deleted = await devices.deleteSecret(found.key.id, call.form.get('id') ?? '')
    if (deleted !== null) await audit(deviceSecretDeleted(device))
    return deleted
  })
  await call.reachNodes(change)
  return {}
}

/** The device whose access token is presented, as far as it may be used now. Throws OAuthError. */
async function deviceOfBearer(
  call: OAuthCall,
  { store, deviceTokens }: ControlParts,
): Promise<{ readonly found: KeyWithOwner; readonly device: Device }> {
  const text = /^bearer +(\S{1,512}) *$/i.exec(call.headers.get('authorization') ?? '')?.[1] ?? ''
  const token = text.startsWith(DEVICE_ACCESS_PREFIX) ? deviceTokens.readAccessToken(text) : null
  if (token === null)
    throw refused('The Authorization header must be "Bearer", a space and an access token of a device.')
  const { keyId, expiresAt, epoch } = token
  const [found, device] = await Promise.all([store.keys.findByHash(deviceHash(keyId)), store.devices.find(keyId)])
  if (found === null || device === null) throw refused(endedToken(null).message)
  const stopped = stopOf(found, call.nowMs)
  if (stopped !== null) throw refused(stopped.message)
  if (call.nowMs >= expiresAt || found.key.device?.epoch !== epoch) throw refused(endedToken(expiresAt).message)
  return { found, device }
}

function refused(message: string): OAuthError {
  return new OAuthError('invalid_token', message, { status: 401 })
}
