import type { KeyWithOwner } from '../../access/api-key.ts'
import { Fault } from '../../core/faults.ts'
import { STORED_IDS_LIMIT } from '../../core/limits.ts'
import { storeIsAway } from '../../core/plain-fault.ts'
import type { Wire } from '../../core/wire.ts'
import type { OutsideInput } from '../../protocols/protocol.ts'
import { type StoredIds, storedIdsIn } from '../../protocols/stored-ids.ts'
import { wiresTo } from '../../routing/route.ts'
import type { StoredResponseStore } from '../../routing/stored-responses.ts'
import type { Target } from '../../routing/catalog.ts'
import type { Snapshot } from '../snapshot.ts'
import type { ChosenModel } from '../request/prepared.ts'

/** A request that names something which a provider keeps. */
export interface NamingRequest {
  readonly body: Buffer
  /** What the request's head says of input from elsewhere. */
  readonly outside: OutsideInput
  readonly wire: Wire
  readonly caller: KeyWithOwner
  readonly snapshot: Snapshot
  readonly nowMs: number
  /** False: what is known to be another account's is refused, and what is not known of anyone passes. */
  readonly isOwnOnly: boolean
}

/**
 * The model with those targets alone that may see what the request names. All accounts share an upstream's credential, and by it
 * the provider lets them read each other's responses, files and conversations. So ids of responses and of their items that
 * another account got are refused, and this account's own go to the upstream that made them. With `isOwnOnly` other ids are
 * refused as well. Targets that take the request translated get no ids. Rejects with the Fault `request_invalid` where no
 * target is left, or `store_unavailable`.
 */
export async function withOwnStored(
  chosen: ChosenModel,
  request: NamingRequest,
  storedResponses: Pick<StoredResponseStore, 'ownersOf'>,
): Promise<ChosenModel> {
  const { snapshot, wire } = request
  const isSameWire = ({ upstreamId }: Target) => {
    const inUse = snapshot.upstreamsById.get(upstreamId)
    return inUse !== undefined && wiresTo(inUse.upstream.protocol, wire)[0] === wire
  }
  if (!chosen.targets.some(isSameWire)) return chosen
  const { body, outside } = request
  const named = storedIdsIn(body, outside)
  if (named.answers.length === 0 && named.other === null) return chosen
  const isTooMuch = (outside.named?.length ?? 0) > STORED_IDS_LIMIT
  const owned = isTooMuch ? tooMany() : await upstreamOf(named, request, storedResponses)
  if (owned === null) return chosen
  const targets = chosen.targets.filter(
    (target) => !isSameWire(target) || (!(owned instanceof Fault) && owned === target.upstreamId),
  )
  if (targets.length > 0) return { ...chosen, targets, isNarrowed: true }
  throw owned instanceof Fault ? owned : madeElsewhere(chosen.model.name)
}

/** The upstream that made what is named, for this account; null: any upstream may have it; or why none may see it. */
async function upstreamOf(
  { answers, other }: StoredIds,
  { caller, nowMs, isOwnOnly }: NamingRequest,
  storedResponses: Pick<StoredResponseStore, 'ownersOf'>,
): Promise<string | Fault | null> {
  if (other !== null && isOwnOnly) return notOfAccounts(other)
  const owners = await storedResponses.ownersOf(caller.account.id, answers, nowMs).catch(storeIsAway)
  const refused = answers.find((id) => owners.others.has(id) || (isOwnOnly && !owners.own.has(id)))
  if (refused !== undefined) return notFound(refused)
  const [upstreamId, ...others] = new Set(owners.own.values())
  return others.length > 0 ? madeBySeveral() : (upstreamId ?? null)
}

const WHOLE = 'Send the conversation itself instead of naming what is stored, and set store to false'

/** The Fault has the same words for every reason: which responses others have is not to be learned from them. */
function notFound(id: string): Fault {
  const shown = /^[\w-]{1,200}$/.test(id) ? ` ${id}` : ' with that id'
  return invalid(
    id.startsWith('resp') ? 'previous_response_id' : 'input',
    `There is no stored response or item${shown} for this account: it was made by another account, more than 30 days ago, or not through this gateway, or it is not stored. ${WHOLE}.`,
  )
}

function notOfAccounts(field: string): Fault {
  const shown = field.slice(0, 40)
  return invalid(
    shown,
    `The field \`${shown}\` names something that the provider stores for all users of this gateway together, so it is not passed on. Send the content itself. An admin may allow such fields with TOLLGATE_STORED_IDS.`,
  )
}

function tooMany(): Fault {
  return invalid('input', `The request names more than ${STORED_IDS_LIMIT} stored items. ${WHOLE}.`)
}

function madeBySeveral(): Fault {
  return invalid('input', `The stored items in this request were made by different providers. ${WHOLE}.`)
}

function madeElsewhere(model: string): Fault {
  return invalid(
    'model',
    `What this request names was stored by another provider than those of the model "${model}". ${WHOLE}, or use the model that made it.`,
  )
}

function invalid(param: string, message: string): Fault {
  return new Fault('request_invalid', message, { param })
}
