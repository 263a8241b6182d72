import { z } from '@hono/zod-openapi'
import { REMOTE_PROTOCOL_NAMES, UPSTREAM_PROTOCOL_NAMES } from '../core/upstream-protocol.ts'
import { givenName } from './wire-values.ts'

const settings = {
  protocol: z.enum(REMOTE_PROTOCOL_NAMES),
  base_url: z.url({ protocol: /^https?$/ }).max(500),
  timeout_ms: z.number().int().min(1).max(3_600_000).nullable(),
  connect_timeout_ms: z.number().int().min(1).max(600_000).nullable(),
  first_byte_timeout_ms: z.number().int().min(1).max(3_600_000).nullable(),
  max_concurrency: z.number().int().min(1).max(100_000).nullable(),
  headers: z.record(z.string().min(1).max(100), z.string().max(4096)),
}

const { headers, ...shown } = settings

/** An upstream as admins see it. The credential and the values of its headers are write-only. */
export const upstream = z
  .object({
    id: z.string(),
    name: z.string(),
    ...shown,
    /** Of the headers that are sent with every request; their values are not shown. */
    header_names: z.array(z.string()),
    protocol: z.enum(UPSTREAM_PROTOCOL_NAMES),
    base_url: z.string(),
    has_credential: z.boolean(),
    /** Names of the public models that have a target here. */
    models: z.array(z.string()),
    managed: z.boolean(),
  })
  .openapi('Upstream')

export const upstreamCreate = z
  .object({
    name: givenName,
    protocol: settings.protocol,
    base_url: settings.base_url,
    credential: z.string().min(1).max(4000).nullable().default(null),
    timeout_ms: settings.timeout_ms.default(null),
    connect_timeout_ms: settings.connect_timeout_ms.default(null),
    first_byte_timeout_ms: settings.first_byte_timeout_ms.default(null),
    max_concurrency: settings.max_concurrency.default(null),
    headers: headers.default({}),
  })
  .strict()
  .openapi('UpstreamCreate')

/** A credential of null takes it away; left out, it stays. A new `base_url` without a new credential is refused. */
export const upstreamPatch = z
  .object({ name: givenName, ...settings, credential: z.string().min(1).max(4000).nullable() })
  .partial()
  .strict()

/** `POST /api/upstreams/{id}/test`: one small call to it. */
export const upstreamTest = z.object({
  ok: z.boolean(),
  status: z.number().int().nullable(),
  total_ms: z.number().int(),
  /** What it said or how it failed, without its credential. */
  detail: z.string(),
})

export type UpstreamView = z.output<typeof upstream>
