import { createHash } from 'node:crypto'
import { type Currency, type CurrencyAmount, formatCurrencyAmount, readCurrencyAmount } from '../core/currency.ts'
import { isSameText } from './signature.ts'

/**
 * The form that many Chinese payment gateways speak: a page at `submit.php` that the payer is sent to, and a notice to
 * `notify_url`, both signed with MD5 over the sorted parameters and the merchant's key.
 */

export interface EpayAccess {
  /** The address of the payment gateway, to which `submit.php` is added. */
  readonly url: string
  readonly pid: string
  readonly key: string
}

/** Ways to pay that these gateways know. */
export const EPAY_WAYS = ['alipay', 'wxpay', 'qqpay', 'bank', 'usdt'] as const
export type EpayWay = (typeof EPAY_WAYS)[number]

/** The address that the payer is sent to. */
export function epayPage(
  { url, pid, key }: EpayAccess,
  order: {
    readonly orderId: string
    readonly price: CurrencyAmount
    readonly name: string
    readonly way: EpayWay
    readonly notifyUrl: string
    readonly returnUrl: string
  },
): string {
  const parameters = {
    pid,
    type: order.way,
    out_trade_no: order.orderId,
    notify_url: order.notifyUrl,
    return_url: order.returnUrl,
    name: order.name,
    money: formatCurrencyAmount(order.price),
  }
  const page = new URL('submit.php', url.endsWith('/') ? url : `${url}/`)
  page.search = new URLSearchParams({ ...parameters, sign: epaySign(parameters, key), sign_type: 'MD5' }).toString()
  return page.href
}

/** The MD5 of all parameters that are not empty, sorted, without the signature's own, and the key behind them. */
function epaySign(parameters: Readonly<Record<string, string>>, key: string): string {
  const signed = Object.entries(parameters)
    .filter(([name, value]) => value !== '' && name !== 'sign' && name !== 'sign_type')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return createHash('md5').update(`${signed}${key}`).digest('hex')
}

export interface EpayNotice {
  readonly orderId: string
  /** What the gateway calls the payment. */
  readonly payment: string | null
  /** null: it is not an amount of the currency. */
  readonly received: CurrencyAmount | null
}

/** What a notice says. `not_signed`: it is not of this merchant; null: nothing was paid. */
export function readEpayNotice(
  parameters: Readonly<Record<string, string>>,
  { pid, key, currency }: Pick<EpayAccess, 'pid' | 'key'> & { readonly currency: Currency },
): EpayNotice | 'not_signed' | null {
  const { sign = '', out_trade_no: orderId = '', trade_no: payment = '', money = '' } = parameters
  const isSigned = key.length >= SHORTEST_KEY && isSameText(sign.toLowerCase(), epaySign(parameters, key))
  if (!isSigned || parameters['pid'] !== pid || orderId === '') return 'not_signed'
  if (parameters['trade_status'] !== 'TRADE_SUCCESS') return null
  return { orderId, payment: payment === '' ? null : payment, received: readCurrencyAmount(currency, money) }
}

/** An empty key would sign every notice; keys of these gateways have 32 characters. */
const SHORTEST_KEY = 16
