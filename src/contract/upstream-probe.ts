import { z } from '@hono/zod-openapi'
import { MODEL_KINDS } from '../core/model-kind.ts'
import { REMOTE_PROTOCOL_NAMES } from '../core/upstream-protocol.ts'
import { UPSTREAM_DIALECT_NAMES } from '../core/upstream-dialect.ts'
import { modelsAsked } from './upstream-test.ts'
import { CREDENTIAL } from './objects/credential.ts'
import { PROXY_URL, UPSTREAM } from './objects/upstream.ts'

/** `POST /api/upstreams/probe`: what an address is, before it is an upstream. */
export const upstreamProbeAsked = z
  .object({
    base_url: z.string().min(1).max(2_000),
    credential: CREDENTIAL.secret.type.sent.nullable().default(null),
    proxy_url: PROXY_URL.sent.default(null).describe('it is asked through this proxy; null: through none'),
    protocol: z
      .enum(REMOTE_PROTOCOL_NAMES)
      .nullable()
      .default(null)
      .describe('the only one that is asked; null: all, the likeliest first'),
    dialect: z
      .enum(UPSTREAM_DIALECT_NAMES)
      .nullable()
      .default(null)
      .describe('the cloud that it is bought from, whose protocol is named beside it; null: none'),
    region: UPSTREAM.region.type.sent.default(null).describe('of the cloud, as an upstream has it'),
    api_version: UPSTREAM.api_version.type.sent.default(null).describe('of the cloud, as an upstream has it'),
    kind: CREDENTIAL.kind.type.sent.default('static').describe('of the credential'),
    settings: CREDENTIAL.settings.type.sent.default({}).describe('of the credential’s kind'),
  })
  .strict()
  .openapi('UpstreamProbeRequest')

/** The time of a step. Through a proxy only the head of the answer is timed. */
const stepMs = z.number().int().nullable()

export const upstreamProbe = z
  .object({
    protocol: z.enum(REMOTE_PROTOCOL_NAMES).nullable().describe('which fits; null: none did'),
    base_url: z.string().describe('as an upstream is to be given it'),
    /** The addresses and protocols that were asked, at most four, in that order. */
    steps: z.array(
      modelsAsked.extend({
        protocol: z.enum(REMOTE_PROTOCOL_NAMES),
        url: z.string(),
        dns_ms: stepMs.describe('looking up the host name; null: it is an address, or it was not found'),
        connect_ms: stepMs.describe('opening the connection, from there; null: none was opened'),
        tls_ms: stepMs.describe('agreeing on TLS, from there; null: it is http, or they did not agree'),
        first_byte_ms: stepMs.describe('the head of the answer, from there; null: none came'),
      }),
    ),
    /** Names of models there, at most 2,000. */
    models: z.array(z.string()),
    kinds: z
      .record(z.string(), z.enum(MODEL_KINDS))
      .describe('what those of the models are for whose names speak of something other than chat'),
  })
  .openapi('UpstreamProbe')

export type UpstreamProbeView = z.output<typeof upstreamProbe>
