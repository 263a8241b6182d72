import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../../core/bounds.ts'
import { DROPPABLE_SETTING_NAMES } from '../../core/request-settings-names.ts'
import { type ShadowRule, UPSTREAM_SHADOWS } from '../../core/shadow-rules.ts'
import { UPSTREAM_DIALECT_NAMES } from '../../core/upstream-dialect.ts'
import { REMOTE_PROTOCOL_NAMES, UPSTREAM_PROTOCOL_NAMES, type UpstreamProtocol } from '../../core/upstream-protocol.ts'
import { textOf } from '../wire-values.ts'
import {
  type FieldType,
  FLAG,
  lineType,
  listType,
  nameType,
  orNull,
  plainType,
  usdType,
  wholeType,
  wordsType,
  wordType,
} from './field-types.ts'
import { field, optional } from './object-fields.ts'

const headerName = lineType(BOUNDS.upstream.header_name)

/** Only a declarative file makes an upstream of a built-in protocol. */
const PROTOCOL: FieldType<UpstreamProtocol, UpstreamProtocol> = {
  ...wordType(UPSTREAM_PROTOCOL_NAMES),
  sent: z.enum(REMOTE_PROTOCOL_NAMES),
}

const BASE_URL: FieldType<string, string> = {
  ...plainType(z.string()),
  sent: z.url({ protocol: /^https?$/ }).max(BOUNDS.upstream.base_url.most),
}

/** Names of headers, in lower case. */
const HEADER_NAMES: FieldType<string[], readonly string[]> = {
  ...listType(headerName, 'header names', BOUNDS.upstream.remove_headers),
  tidy: (names) => names.map((name) => name.toLowerCase()),
}

/** Names of headers and what they become, in lower case. */
const NEW_HEADER_NAMES: FieldType<Record<string, string>, Readonly<Record<string, string>>> = {
  ...plainType(z.record(headerName.sent, headerName.sent)),
  write: (held) => ({ ...held }),
  tidy: (held) => Object.fromEntries(Object.entries(held).map(([from, to]) => [from.toLowerCase(), to.toLowerCase()])),
}

/** The settings of requests that an upstream, or a model there, does not take: left out of requests, and named to their clients. */
export const DROP_FIELDS = wordsType(DROPPABLE_SETTING_NAMES, 'names of settings')

/** The URL of a proxy: http, https (both by CONNECT) or socks5, with a login where it wants one. */
export const PROXY_URL = orNull(plainType(z.string().max(BOUNDS.upstream.proxy_url.most)))

/** Rules of an object that are evaluated and counted, and not enforced. */
export function shadowField<const Rule extends ShadowRule>(rules: readonly Rule[]) {
  const type = wordsType(rules, 'names of rules', { isOrdered: true })
  return field('shadow', type, { default: [], isSparse: true, isNewInFile: true })
}

/** The fields of an upstream. Its credentials are objects of their own: see `CREDENTIAL`. */
export const UPSTREAM = {
  name: field('name', nameType(BOUNDS.upstream.name)),
  protocol: field('protocol', PROTOCOL),
  base_url: field('baseUrl', BASE_URL),
  timeout_ms: optional('timeoutMs', wholeType(BOUNDS.upstream.timeout_ms)),
  connect_timeout_ms: optional('connectTimeoutMs', wholeType(BOUNDS.upstream.connect_timeout_ms)),
  first_byte_timeout_ms: optional('firstByteTimeoutMs', wholeType(BOUNDS.upstream.first_byte_timeout_ms)),
  max_concurrency: optional('maxConcurrency', wholeType(BOUNDS.upstream.max_concurrency)),
  /** The most that requests to it may cost in one day of UTC; null: no cap. */
  spend_per_day: optional('spendPerDay', usdType(BOUNDS.upstream.spend_per_day), {
    isSparse: true,
  }),
  shadow: shadowField(UPSTREAM_SHADOWS),
  /** Sent with every request. */
  headers: field('headers', plainType(z.record(headerName.sent, textOf(BOUNDS.upstream.header_value))), {
    default: {},
    isSecret: true,
  }),
  /** Headers of requests that do not go there. */
  remove_headers: field('passage.removedHeaders', HEADER_NAMES, { default: [], isNewInFile: true }),
  /** Headers of requests that go there under another name. */
  rename_headers: field('passage.renamedHeaders', NEW_HEADER_NAMES, { default: {}, isNewInFile: true }),
  drop_fields: field('passage.droppedSettings', DROP_FIELDS, { default: [], isNewInFile: true }),
  /** Conversations stay with the target and credential that they began at, also where cached input is not cheaper. */
  prefix_cache: field('passage.keepsPrefixes', FLAG, { default: false, isNewInFile: true }),
  /** The cloud that it is bought from; null: it is asked as its protocol says. */
  dialect: optional('passage.dialect', wordType(UPSTREAM_DIALECT_NAMES), { isNewInFile: true }),
  /** The cloud's region, where the base URL does not name it. */
  region: optional('passage.region', lineType(BOUNDS.upstream.region), { isNewInFile: true }),
  /** The version of the cloud's API, where requests name it. */
  api_version: optional('passage.apiVersion', lineType(BOUNDS.upstream.api_version), { isNewInFile: true }),
  proxy_url: field('passage.sealedProxyUrl', PROXY_URL, { default: null, isSecret: true }),
}
