import { z } from '@hono/zod-openapi'
import { MODEL_LIST_RESULTS, UPSTREAM_TRIAL_RESULTS } from '../core/model-list-results.ts'
import { BOUNDS } from '../core/bounds.ts'
import { UPSTREAM_TRIAL_TEXT_CHARACTERS } from '../core/limits.ts'
import { SHADOW_RULE_NAMES } from '../core/shadow-rules.ts'
import { WIRE_NAMES } from '../core/wire.ts'
import { obstacle, why } from './attempt-obstacle.ts'
import { CREDENTIAL } from './objects/credential.ts'
import { createShape, insertedAfter, patchShape, shownShape } from './objects/object-fields.ts'
import { UPSTREAM } from './objects/upstream.ts'
import { listOf, textOf, time, usd, version } from './wire-values.ts'

/** How attempts fail, as routing names it. */
const failureClasses = [
  'rate_limited',
  'overloaded',
  'request_exceeds_limit',
  'unreachable',
  'proxy',
  'failed',
  'timed_out',
  'malformed',
  'broken_off',
  'not_found',
  'credential',
  'no_credit',
] as const

/** A credential, whose secret is write-only. `has_proxy`: it goes through a proxy of its own, whose URL is not shown. */
const credential = z.object({ ...shownShape(CREDENTIAL), has_proxy: z.boolean() }).openapi('UpstreamCredential')

const credentialWritten = z
  .object({
    ...createShape(CREDENTIAL),
    /** May be left out for one that the upstream has already, which keeps its secret. */
    secret: CREDENTIAL.secret.type.sent.optional(),
    /** Left out for one that the upstream has already, it stays. */
    proxy_url: CREDENTIAL.proxy_url.type.sent.optional(),
  })
  .strict()
  .openapi('UpstreamCredentialWritten')

const credentials = listOf(credentialWritten, BOUNDS.upstream.credentials)
const onlySecret = textOf(BOUNDS.upstream.credential).nullable()

const spendCap = z
  .object({
    /** The public name of the target's model; null: the cap of the upstream. */
    model: z.string().nullable(),
    /** The model's name at the upstream. */
    upstream_model: z.string().nullable(),
    spend_per_day: usd,
    /** What was spent since midnight UTC, or since the cap was set. */
    spent_today: usd,
    /** Midnight UTC, once the cap is reached; null: more may be spent. */
    until: time.nullable(),
    /** Whether it is not enforced. */
    shadow: z.boolean(),
  })
  .openapi('SpendCap')

const shadowRule = z
  .object({
    rule: z.enum(SHADOW_RULE_NAMES),
    /** The credential that it is set on; null: none. */
    credential: z.string().nullable(),
    /** The public name of the model, and its name at the upstream, whose target it is set on; null: none. */
    model: z.string().nullable(),
    upstream_model: z.string().nullable(),
    /** Attempts that it would have kept away, were it enforced. */
    refusals: z.number().int(),
    last_refusal_at: time.nullable(),
  })
  .openapi('ShadowRule')

/** An upstream as admins see it. The credential and the values of its headers are write-only. */
export const upstream = z
  .object({
    id: z.string(),
    ...shownShape(UPSTREAM),
    /** Names of the headers that are sent with every request; their values are not shown. */
    header_names: z.array(z.string()),
    /** Whether it is reached through a proxy, whose URL is not shown. */
    has_proxy: z.boolean(),
    has_credential: z.boolean(),
    credentials: z.array(credential),
    /** Names of the public models that have a target here. */
    models: z.array(z.string()),
    /** The caps on what it and its targets may cost in a day, as the node that answers knows them; those of credentials are with their states. */
    spend_caps: z.array(spendCap),
    /** The rules in shadow that hold here, as the node that answers has counted them since it started. */
    shadow_rules: z.array(shadowRule),
    managed: z.boolean(),
    version,
  })
  .openapi('Upstream')

export const upstreamCreate = z
  .object(
    insertedAfter(createShape(UPSTREAM), 'base_url', {
      /** A credential that nothing limits, called default. */
      credential: onlySecret.default(null),
      /** Instead of `credential`. */
      credentials: credentials.optional(),
    }),
  )
  .strict()
  .openapi('UpstreamCreate')

/** A credential of null takes all away, and credentials take the place of all; left out, they stay. A new `base_url` without a new credential is refused. */
export const upstreamPatch = z
  .object({ ...patchShape(UPSTREAM), credential: onlySecret.optional(), credentials: credentials.optional() })
  .strict()

/** `DELETE /api/upstreams/{id}` */
export const upstreamDelete = z
  .object({
    models: z
      .enum(['delete', 'keep', 'move'])
      .optional()
      .describe(
        'what becomes of models that have a target there: their targets there go, and a model without any other target is deleted, or kept without one; or all their targets there move to the upstream `to`. Left out: they keep the upstream from being deleted',
      ),
    to: z.string().optional().describe('the id of the upstream that targets move to; only with `move`'),
  })
  .strict()

export type UpstreamDeletion = z.output<typeof upstreamDelete>

/** `POST /api/upstreams/{id}/test-request` */
export const upstreamTrialAsked = z
  .object({
    /** The public name of a model that has a target there. */
    model: textOf(BOUNDS.model.name),
    /** The name of the model there, where it has several targets at the upstream. Left out: the first of them. */
    upstream_model: textOf(BOUNDS.target.model).optional(),
    /** Left out: the first that is not disabled. */
    credential: textOf(BOUNDS.credential.name).optional(),
    /** What a client would speak. Left out: what the upstream speaks itself. */
    protocol: z.enum(WIRE_NAMES).optional(),
    stream: z.boolean().default(false),
    /** What is said. Left out: a greeting. */
    text: z.string().trim().min(1).max(UPSTREAM_TRIAL_TEXT_CHARACTERS).optional(),
  })
  .strict()
  .openapi('UpstreamTestRequest')

export const upstreamTrial = z
  .object({
    ok: z.boolean(),
    /** The id of its usage record. */
    request_id: z.string(),
    model: z.string(),
    /** The model's name at the upstream. */
    upstream_model: z.string(),
    /** null: the upstream wants none. */
    credential: z.string().nullable(),
    protocol: z.enum(WIRE_NAMES),
    stream: z.boolean(),
    /** The upstream was asked in another protocol than `protocol`. */
    translated: z.boolean(),
    /** Fields of the request that the translation left out. */
    dropped_fields: z.array(z.string()),
    url: z.string().nullable().describe('where the request was sent; null: it was not'),
    /** A connection took the request. */
    connected: z.boolean(),
    /** The upstream's own; null: none came. */
    status: z.number().int().nullable(),
    /** The time from the request until the first bytes of its answer. */
    first_event_ms: z.number().int().nullable(),
    /** `reported`: the upstream said how much was used; `estimated`: the gateway counted. */
    usage_source: z.enum(['reported', 'estimated', 'none']),
    input_tokens: z.number().int().nullable(),
    output_tokens: z.number().int().nullable(),
    /** The cost by the target’s own prices; null: it has none, or nothing was used. */
    provider_cost: usd.nullable(),
    /** How the attempt ended, as routing names it; `not_sent`: it was refused before. */
    class: z.enum(['ok', ...failureClasses, 'rejected', 'cancelled', 'not_sent']),
    /** What a client would have got. */
    fault: z.string().nullable(),
    client_status: z.number().int().nullable(),
    result: z
      .enum(UPSTREAM_TRIAL_RESULTS)
      .describe('`status`: an error of the upstream. `fault`: the gateway refused it, or could not use the answer'),
    said: z.string().nullable().describe('what the upstream itself said of an error, without its credential'),
    /** Both in a sentence, without its address, and what to do about a refusal of a cloud that is known. */
    detail: z.string(),
    /** The credential had been refused, and is used again. */
    released: z.boolean(),
    total_ms: z.number().int(),
  })
  .openapi('UpstreamTestResult')

export type UpstreamTrialView = z.output<typeof upstreamTrial>

/** How a credential of an upstream stands, as the node that answers sees it. */
export const credentialState = z
  .object({
    name: z.string(),
    version,
    secret_end: z
      .string()
      .nullable()
      .describe('the last four characters of the secret; null: it has fewer than 20, or cannot be opened here'),
    /**
     * `disabled` by hand; `held`: the provider refuses it, or no token can be had; `renewal_failing`: none can be had, but the last
     * one is good until `until`; `busy`, `spend_cap`, `expired`: its own settings.
     */
    state: z.enum([
      'healthy',
      'degraded',
      'renewal_failing',
      'cooling',
      'probing',
      'held',
      'disabled',
      'busy',
      'spend_cap',
      'expired',
      'unusable',
    ]),
    /** The last failure, where that is why. */
    reason: z.string().nullable(),
    said: z
      .string()
      .nullable()
      .describe(
        'what the provider, or the service that issues its tokens, said when it refused it; null: it is neither held nor is its renewal failing, or nothing is kept',
      ),
    /** When it was held, or its renewal first failed; null: neither is so. */
    since: time.nullable(),
    /** `renewal_failing`: when its token ends, and it is held. null: it is not left alone, or a person alone ends that. */
    until: time.nullable(),
    count: z.number().int().describe('how often in a row it was held, or has rested, without a request that went well'),
    in_flight: z.number().int(),
    /** What requests cost, where it has a cap. */
    spent_today: usd.nullable(),
  })
  .openapi('CredentialState')

/** How a model at an upstream stands, with whichever credential. */
const modelState = z
  .object({
    /** The name of the model there. */
    model: z.string(),
    state: z
      .enum(['degraded', 'cooling', 'probing'])
      .describe(
        '`degraded`: some of its requests fail. `cooling`: it is left alone. `probing`: one request at a time is.',
      ),
    /** The kind of its last failure, where it rests. */
    reason: z.enum(failureClasses).nullable(),
    why,
    /** null: it is not left alone. */
    until: time.nullable(),
    count: z.number().int().describe('how often in a row it has rested'),
  })
  .openapi('UpstreamModelState')

/** What the daily look at its list of models found last; null: the setting `check_models` is off, or it was not looked at. */
const modelList = z
  .object({
    checked_at: time,
    result: z.enum(MODEL_LIST_RESULTS).nullable().describe('null: it is asked now, or could not be'),
    added: z.array(z.string()).describe('listed there since the first look, neither served nor ignored here'),
    gone: z.array(z.string()).describe('listed there before, and served from it'),
  })
  .openapi('UpstreamModelListChanges')

const failure = z.object({
  fault: z.string(),
  at: time,
  /** The id of its usage record. */
  request_id: z.string(),
  /** The status of the last attempt; null: none came. */
  status: z.number().int().nullable(),
  said: z.string().nullable().describe('what the provider said of it, as far as it is kept'),
  ...obstacle,
})

const failedLately = {
  requests: z.number().int().describe('that ended there in the last five minutes, or since `counted_since`'),
  failed: z.number().int().describe('of those'),
  first_byte_ms: z
    .object({ p50: z.number().int(), p95: z.number().int() })
    .nullable()
    .describe('of those among them that ended well; null: none had a first byte of its own'),
  /** The last failure of the last day, as far as its record is among the newest. */
  last_failure: failure.nullable(),
}

/** `GET /api/upstreams/status`: how all of them stand, as the node that answers sees them. */
export const upstreamStatuses = z
  .object({
    looked_at: time,
    counted_since: time
      .nullable()
      .describe('since when `requests` are counted, where the last five minutes had more than 5,000; null: all are'),
    data: z.array(
      z.object({
        id: z.string(),
        state: z
          .enum(['open', 'healthy', 'degraded', 'failing', 'resting', 'held', 'disabled'])
          .describe(
            '`open`: it wants no credential, and nothing is known against it. `degraded`: some of its credentials or models can be used, or will not be for long. `failing`: requests of the last day failed there, and none ended well. `resting`: none can, and time ends that. `held`: the provider refuses all. `disabled`: all are, by hand.',
          ),
        in_flight: z.number().int(),
        models: z
          .array(modelState)
          .describe('those that do not stand well with any credential, such as where the host is dead'),
        model_list: modelList.nullable(),
        ...failedLately,
        credentials: z.array(credentialState.extend(failedLately)),
      }),
    ),
  })
  .openapi('UpstreamStatuses')

export type UpstreamStatusesView = z.output<typeof upstreamStatuses>
export type UpstreamStatusView = UpstreamStatusesView['data'][number]

export const credentialStatePatch = z
  .object({
    disabled: z.boolean().optional(),
    /** false: it is asked again at once, though the provider refused it. */
    held: z.literal(false).optional(),
  })
  .strict()

export type CredentialStateView = z.output<typeof credentialState>

export type UpstreamView = z.output<typeof upstream>
