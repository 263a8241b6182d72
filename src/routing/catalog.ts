import type { ModelKind } from '../core/model-kind.ts'
import type { ModelPrices } from '../core/price-rules.ts'
import type { NanoUsd, PartsPerMillion } from '../core/money.ts'
import type { ProviderCost } from '../core/provider-cost.ts'
import type { DroppableSetting } from '../core/request-settings-names.ts'
import type { TargetShadow, UpstreamShadow } from '../core/shadow-rules.ts'
import type { Credential } from './credential.ts'
import type { CredentialStateStore } from './credential-states.ts'
import type { KeptLimitStore } from './kept-limits.ts'
import type { ModelRules } from '../models/facts.ts'
import type { LearnedRefusalStore } from './learned-refusals.ts'
import type { Serving } from './serving.ts'
import type { SpendStore } from './spender.ts'
import type { UpstreamDialect } from '../core/upstream-dialect.ts'
import type { UpstreamProtocol } from '../core/upstream-protocol.ts'
import type { AddAnswer, DeleteAnswer, EditAnswer } from '../core/stored-edits.ts'

/** A public model name with its prices and where it may be served. */
export interface Model {
  readonly id: string
  readonly name: string
  /** null: never served, because it has no price. */
  readonly prices: ModelPrices | null
  readonly contextTokens: number | null
  readonly maxOutputTokens: number | null
  /** What its admin says it is; left out: `kindOf` tells by what else is known. */
  readonly kind?: ModelKind
  /** An admin wants it suggested before others; left out: not. */
  readonly isRecommended?: true
  /** Imports of prices leave its price alone; left out: they do not. */
  readonly isPriceLocked?: true
  /** Left out: nothing of it is set. */
  readonly serving?: Serving
  readonly targets: readonly Target[]
  /** A change of its price to come; left out: none is planned. */
  readonly scheduled?: ScheduledPrice
  readonly createdAt: number
  readonly isManaged: boolean
}

/** What is to be set on a model at a moment; what is left out stays. */
export interface ScheduledPrice {
  /** Epoch milliseconds. */
  readonly effectiveAt: number
  readonly prices: ModelPrices | null
  readonly contextTokens?: number | null
  readonly maxOutputTokens?: number | null
  /** The import that it is part of. */
  readonly importId?: string
  /** Where that import's prices are from. */
  readonly importSource?: string
  /** Who planned it, as the audit names actors. */
  readonly by: string
}

/** The model with what was planned for it, which is then no longer planned. */
export function withScheduled(model: Model): Model {
  const { scheduled, ...before } = model
  if (scheduled === undefined) return model
  const { prices, contextTokens = before.contextTokens, maxOutputTokens = before.maxOutputTokens } = scheduled
  return { ...before, prices, contextTokens, maxOutputTokens }
}

/** One entry of a model's route. Lower priority numbers are tried first; weights share the load among equals. */
export interface Target {
  readonly upstreamId: string
  /** The model's name at that upstream. */
  readonly model: string
  readonly priority: number
  readonly weight: number
  /** Ids of the groups whose keys may use it, at least one; left out: those of all. */
  readonly groupIds?: readonly string[]
  /** What its provider charges; left out: not known. */
  readonly cost?: ProviderCost
  /** The target is not used where the sale leaves less than this part of its price; only beside a cost. */
  readonly minMargin?: PartsPerMillion
  /** A cap on what its requests cost in one day of UTC; left out: no cap. */
  readonly spendPerDay?: NanoUsd
  /** Rules of the target that are not enforced, at least one; left out: none. */
  readonly shadow?: readonly TargetShadow[]
  /** Settings of requests that it does not take, beside those of its upstream, at least one. */
  readonly droppedSettings?: readonly DroppableSetting[]
  /** The model whose fields it takes, where its own name there does not say it; left out: that name says it. */
  readonly fieldsLike?: string
  /** What it takes otherwise than the table of models says, above the rules of its model; at least one. */
  readonly rules?: ModelRules
}

/** Whether a request in this group may use the target. */
export function isOpenToGroup({ groupIds }: Target, groupId: string): boolean {
  return groupIds === undefined || groupIds.includes(groupId)
}

/** One configured endpoint of a provider. */
export interface Upstream {
  readonly id: string
  readonly name: string
  readonly protocol: UpstreamProtocol
  /** The base URL without a trailing slash; `/v1` included where the provider has it. Empty for `demo`. */
  readonly baseUrl: string
  /** What requests to it are sent with, one of them each; empty when the upstream wants none. */
  readonly credentials: readonly Credential[]
  readonly connectTimeoutMs: number | null
  readonly firstByteTimeoutMs: number | null
  /** The time for the whole request. */
  readonly timeoutMs: number | null
  readonly maxConcurrency: number | null
  /** A cap on what requests to it cost in one day of UTC; left out: no cap. */
  readonly spendPerDay?: NanoUsd
  /** Rules of the upstream that are not enforced, at least one; left out: none. */
  readonly shadow?: readonly UpstreamShadow[]
  /**
   * Sent with every request to it, after the client's and before the credential. The values are sealed like the credential,
   * since some are secrets; those of earlier versions are in clear until a gateway of this one starts.
   */
  readonly headers: Readonly<Record<string, string>>
  /** How it is reached otherwise than plainly; left out: plainly. */
  readonly passage?: RequestOverrides
  readonly isManaged: boolean
}

/** What becomes of requests to an upstream on the way. At least one is set. */
export interface RequestOverrides {
  /** Through which it is reached, sealed like a credential, since it may hold a login. */
  readonly sealedProxyUrl?: string
  /** Headers that do not go there, in lower case. */
  readonly removedHeaders?: readonly string[]
  /** Headers that go there under another name, both in lower case. */
  readonly renamedHeaders?: Readonly<Record<string, string>>
  /** Settings of requests that none of its models takes, at least one. */
  readonly droppedSettings?: readonly DroppableSetting[]
  /** The upstream keeps what it has read of a conversation, whatever its models' prices say: conversations stay where they began. */
  readonly keepsPrefixes?: true
  /** The cloud that it is bought from, which has a way of its own to be asked; left out: none. */
  readonly dialect?: UpstreamDialect
  /** The region that requests are signed for; left out: the one that the base URL names. */
  readonly region?: string
  /** The version of the cloud's own API; left out: the one that is in use there, or none. */
  readonly apiVersion?: string
}

export interface CatalogStore extends CredentialStateStore, KeptLimitStore, LearnedRefusalStore, SpendStore {
  models(): Promise<readonly Model[]>
  upstreams(): Promise<readonly Upstream[]>
  /** Add, or replace what has the same name (which keeps its id). Returns whether anything was different. */
  putModel(model: Model): Promise<boolean>
  putUpstream(upstream: Upstream): Promise<boolean>
  addModel(model: Model): Promise<AddAnswer>
  /** `edit` makes the model that is to be from the one that is, which is locked meanwhile; it keeps its id. */
  editModel(id: string, edit: (before: Model) => Model): Promise<EditAnswer<Model>>
  /** Takes it off the lists of groups, too; not while one from the declarative file lists it. */
  deleteModel(id: string): Promise<DeleteAnswer<Model>>
  addUpstream(upstream: Upstream): Promise<AddAnswer>
  editUpstream(id: string, edit: (before: Upstream) => Upstream): Promise<EditAnswer<Upstream>>
  /** Not while a model has a target there. */
  deleteUpstream(id: string): Promise<DeleteAnswer<Upstream>>
}
