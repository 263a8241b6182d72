import type { ReactNode } from 'react'
import type { PaymentSettingsView } from '../../../../../src/contract/payments.ts'
import { useMay } from '../../../../api/use-may.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { useFormat } from '../../../../format/use-format.ts'
import { Badge, type Tone } from '../../../../ui/badge.tsx'
import { IconButton } from '../../../../ui/icon-button.tsx'
import { Section } from '../../../../ui/section.tsx'

/** What is edited of payments, as the address names it. */
export const PAYMENT_PARTS = ['stripe', 'epay', 'amounts', 'shop'] as const
export type PaymentPart = (typeof PAYMENT_PARTS)[number]

type State = 'none' | 'off' | 'unfinished' | 'test' | 'on'
const TONES: Readonly<Record<State, Tone>> = {
  none: 'neutral',
  off: 'neutral',
  unfinished: 'warn',
  test: 'warn',
  on: 'good',
}

/** Who takes the money, what is offered for topping up, and whether a shop of one's own sends orders. */
export function PaymentSettings(props: {
  readonly settings: PaymentSettingsView
  matches(...texts: readonly (string | null)[]): boolean
  onEdit(part: PaymentPart): void
}): ReactNode {
  const t = useTexts('paymentSettings')
  const mayChange = useMay('admin')
  const { settings, matches, onEdit } = props
  const shown = PAYMENT_PARTS.filter((part) => matches(t.title, t.parts[part].name, t.parts[part].does))
  if (shown.length === 0) return null
  return (
    <Section title={t.title} lead={isOffered(settings) ? t.lead : t.nothing}>
      <ul className="-my-3 divide-y divide-line">
        {shown.map((part) => {
          const { name, does } = t.parts[part]
          const state = stateOf(part, settings)
          return (
            <li
              key={part}
              className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-1 py-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]"
            >
              <div className="min-w-0">
                <p className="font-medium">{name}</p>
                <p className="text-sm [overflow-wrap:anywhere] text-ink-2">{does}</p>
              </div>
              <div className="flex min-w-0 flex-wrap content-start items-start gap-x-2 gap-y-1 max-sm:col-span-2 max-sm:row-start-2">
                <div className="min-w-0 [overflow-wrap:anywhere] empty:hidden">
                  <PartValue part={part} settings={settings} />
                </div>
                {state !== null && <Badge tone={TONES[state]}>{t.states[state]}</Badge>}
              </div>
              {/* As high as the first line beside it. */}
              <div className="-mt-1.5 flex min-w-9 items-start justify-end touch:-mt-3">
                {mayChange && <IconButton icon="edit" label={t.edit(name)} onClick={() => onEdit(part)} />}
              </div>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

function PartValue(props: { readonly part: PaymentPart; readonly settings: PaymentSettingsView }): ReactNode {
  const t = useTexts('paymentSettings')
  const format = useFormat()
  const { part, settings } = props
  if (part === 'amounts') {
    return (
      <>
        {settings.amounts.length > 0 && <p>{settings.amounts.map((amount) => format.money(amount)).join(' · ')}</p>}
        <p className="text-sm text-ink-2">
          {t.bounds(format.money(settings.smallest), format.money(settings.largest))}
        </p>
      </>
    )
  }
  const provider = part === 'shop' ? null : settings[part]
  if (provider === null) return null
  return t.rate(`${provider.per_usd} ${provider.currency.toUpperCase()}`)
}

/** null: it has no state of its own. */
function stateOf(
  part: PaymentPart,
  { stripe, epay, has_signing_secret: hasSecret }: PaymentSettingsView,
): State | null {
  switch (part) {
    case 'amounts':
      return null
    case 'shop':
      return hasSecret ? 'on' : 'none'
    case 'epay':
      if (epay === null) return 'none'
      return !epay.has_key ? 'unfinished' : epay.on ? 'on' : 'off'
    case 'stripe':
      if (stripe === null) return 'none'
      if (!stripe.has_secret_key || !stripe.has_webhook_secret) return 'unfinished'
      if (!stripe.on) return 'off'
      return stripe.is_test === true ? 'test' : 'on'
  }
}

function isOffered(settings: PaymentSettingsView): boolean {
  return (['stripe', 'epay'] as const).some((part) => ['test', 'on'].includes(stateOf(part, settings) ?? ''))
}
