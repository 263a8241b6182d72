import { z } from '@hono/zod-openapi'
import { REMOTE_PROTOCOL_NAMES } from '../core/upstream-protocol.ts'
import { modelsAsked } from './upstream-test.ts'
import { proxyUrl, secret } from './upstreams.ts'

/** `POST /api/upstreams/probe`: what an address is, before it is an upstream. */
export const upstreamProbeAsked = z
  .object({
    base_url: z.string().min(1).max(2_000),
    credential: secret.nullable().default(null),
    proxy_url: proxyUrl.default(null).describe('it is asked through this proxy; null: through none'),
    protocol: z
      .enum(REMOTE_PROTOCOL_NAMES)
      .nullable()
      .default(null)
      .describe('the only one that is asked; null: all, the likeliest first'),
  })
  .strict()
  .openapi('UpstreamProbeRequest')

/** Of a proxy's connection only the head of the answer is timed. */
const stepMs = z.number().int().nullable()

export const upstreamProbe = z
  .object({
    protocol: z.enum(REMOTE_PROTOCOL_NAMES).nullable().describe('which fits; null: none did'),
    base_url: z.string().describe('as an upstream is to be given it'),
    /** At most three, in the order in which they were asked. */
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
  })
  .openapi('UpstreamProbe')

export type UpstreamProbeView = z.output<typeof upstreamProbe>
