import { createHmac } from 'node:crypto'
import { ALERT_PLACEHOLDERS, type AlertFacts, type AlertTemplate, filledTemplate } from '../core/alert-template.ts'
import { alertOnWire } from './alert-on-wire.ts'
import type { OutgoingAlert } from './carrier.ts'
import { mailText } from './mail-texts.ts'
import { signedHeaders } from './webhook-signature.ts'

/**
 * The bodies in which alerts are posted: our own JSON, or a text as the group chats of others take it. Shapes by pages of
 * November 2026 that quote the official ones, which were not read themselves for all: "Sending messages using incoming
 * webhooks" and "Formatting message text" (docs.slack.dev), "Webhook resource: Execute Webhook" (docs.discord.com),
 * "自定义机器人使用指南" (open.feishu.cn), "群机器人配置说明" (developer.work.weixin.qq.com, path/91770), "自定义机器人安全设置"
 * (open.dingtalk.com).
 */
export const WEBHOOK_FORMATS = ['json', 'slack', 'discord', 'feishu', 'wecom', 'dingtalk'] as const
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]

/** One post: its body, and what its form adds to the headers and the URL's query. */
export interface WebhookPost {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

/** How posts are made: by our own signature, or as one of the chats has it. */
export type WebhookSigning =
  | { readonly format: 'json'; readonly key: Buffer }
  /** The secret of the bot's signature; null: it checks none. */
  | { readonly format: Exclude<WebhookFormat, 'json'>; readonly secret: string | null }

/** `template`: what is posted instead of the format's own body; signatures stay the format's. */
export function postOf(
  alert: OutgoingAlert,
  signing: WebhookSigning,
  { nowMs, template }: { readonly nowMs: number; readonly template: AlertTemplate | null },
): WebhookPost {
  const facts = template === null ? null : alertFacts(alert)
  if (signing.format === 'json') {
    const body = JSON.stringify(
      template === null || facts === null ? alertOnWire(alert) : filledTemplate(template, facts),
    )
    return { body, headers: signedHeaders(body, { id: alert.id, nowMs, key: signing.key }), query: {} }
  }
  const { written = asItIs, contentOf, signed } = CHATS[signing.format]
  const { body = {}, query = {} } = (signing.secret === null ? null : signed?.(signing.secret, nowMs)) ?? {}
  // Some chats take only what has a word in it that their bot was given: the first one serves for that.
  const content =
    template === null || facts === null
      ? contentOf(written(`[Tollgate] ${textOf(alert)}`))
      : { ...(signing.format === 'discord' ? CALLS_NO_ONE : {}), ...filledTemplate(template, facts, written) }
  return { body: JSON.stringify({ ...content, ...body }), headers: {}, query }
}

/**
 * Whether an answer of the status 200 says that the post was taken, and what it says if not. Three of the chats answer 200 to
 * everything and have a number in the body, 0 for good. What they say in words is left out.
 */
export function refusalIn(format: WebhookFormat, answer: string): string | null {
  const field = CODE_FIELDS[format]
  if (field === undefined) return null
  const code = new RegExp(`"${field}"\\s*:\\s*(-?\\d{1,9})\\b`).exec(answer)?.[1]
  if (code === undefined) return 'an answer without its code'
  return Number(code) === 0 ? null : `code ${code}`
}

const CODE_FIELDS: Partial<Record<WebhookFormat, string>> = { feishu: 'code', wecom: 'errcode', dingtalk: 'errcode' }

interface Chat {
  /** How a text is written there: what would begin a link or a mention does not. */
  readonly written?: (text: string) => string
  readonly contentOf: (text: string) => object
  /** What a bot's secret adds to the body or the URL's query. */
  readonly signed?: (
    secret: string,
    nowMs: number,
  ) => { readonly body?: object; readonly query?: Readonly<Record<string, string>> }
}

/** Longer texts are refused there: Discord by characters, WeCom by bytes of UTF-8. */
const DISCORD_CHARACTERS = 2_000
const WECOM_BYTES = 2_048

/** A name with an @ in it calls no one at Discord. */
const CALLS_NO_ONE = { allowed_mentions: { parse: [] } }

const CHATS: Readonly<Record<Exclude<WebhookFormat, 'json'>, Chat>> = {
  slack: {
    written: (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    contentOf: (text) => ({ text }),
  },
  discord: { contentOf: (text) => ({ content: text.slice(0, DISCORD_CHARACTERS), ...CALLS_NO_ONE }) },
  feishu: {
    written: (text) => text.replaceAll('<', '＜'),
    contentOf: (text) => ({ msg_type: 'text', content: { text } }),
    signed(secret, nowMs) {
      const timestamp = String(Math.floor(nowMs / 1_000))
      // The text to be signed is the key here, and nothing is signed with it.
      return { body: { timestamp, sign: hmac(`${timestamp}\n${secret}`, '') } }
    },
  },
  wecom: { contentOf: (text) => ({ msgtype: 'text', text: { content: withinBytes(text, WECOM_BYTES) } }) },
  dingtalk: {
    contentOf: (text) => ({ msgtype: 'text', text: { content: text } }),
    signed(secret, nowMs) {
      const timestamp = String(nowMs)
      return { query: { timestamp, sign: hmac(secret, `${timestamp}\n${secret}`) } }
    },
  },
}

function asItIs(text: string): string {
  return text
}

function textOf(alert: OutgoingAlert): string {
  const { subject, body } = mailText(alert)
  return `${subject}\n\n${body.trimEnd()}`
}

function hmac(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64')
}

/** Cuts a text to what fits, without half a character at its end. */
function withinBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text)
  return bytes.length <= limit
    ? text
    : bytes
        .subarray(0, limit)
        .toString()
        .replace(/\uFFFD+$/, '')
}

/** What the placeholders of a template stand for in an alert; empty: it has none. Amounts are in USD. */
export function alertFacts(alert: OutgoingAlert): AlertFacts {
  const { subject: title, body } = mailText(alert)
  const { account, subject, ...wire } = alertOnWire(alert)
  const facts = {
    ...wire,
    title,
    text: body.trimEnd(),
    account_id: account?.id,
    account_email: account?.email,
    subject_kind: subject.kind,
    subject_id: subject.id,
    subject_name: subject.name,
  }
  return Object.fromEntries(ALERT_PLACEHOLDERS.map((name) => [name, String(facts[name] ?? '')])) as AlertFacts
}
