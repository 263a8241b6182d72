import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SubscriptionView } from '../../../src/contract/billing.ts'
import { setRenewal } from '../../api/billing.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { isZero, leftOf, shareOf } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { NamedMeter } from '../../ui/meter.tsx'
import { TimeAhead } from '../../ui/relative-time.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useNow } from '../../ui/use-now.ts'

const TONES: Readonly<Record<SubscriptionView['status'], Tone>> = {
  running: 'good',
  upcoming: 'accent',
  ended: 'neutral',
  cancelled: 'neutral',
}

/** One subscription: what it covers, until when, and how full its windows are. */
export function SubscriptionCard({ subscription }: { readonly subscription: SubscriptionView }): ReactNode {
  const t = useTexts('billing').subscriptions
  const { status, quotas } = subscription
  return (
    <li className="min-w-0 border-t border-line pt-3.5">
      <div className="flex items-center justify-between gap-3">
        <h3 className="min-w-0 truncate text-base">{subscription.plan}</h3>
        <Badge tone={TONES[status]} hasDot>
          {t.statuses[status]}
        </Badge>
      </div>
      <SubscriptionTimes subscription={subscription} />
      {!subscription.opens_groups && <p className="mt-1 text-sm text-ink-3">{t.opensNone}</p>}
      {quotas.length === 0 ? (
        <p className="mt-3 text-ink-2">{t.unlimited}</p>
      ) : (
        <ul className="mt-3 grid gap-3">
          {quotas.map((quota) => (
            <QuotaWindow key={quota.window} quota={quota} isRunning={status === 'running'} />
          ))}
        </ul>
      )}
      {(status === 'running' || status === 'upcoming') && <RenewalSwitch subscription={subscription} />}
    </li>
  )
}

function SubscriptionTimes({ subscription }: { readonly subscription: SubscriptionView }): ReactNode {
  const t = useTexts('billing').subscriptions
  const format = useFormat()
  const { status, cancelled_at: cancelledAt } = subscription
  const [label, time] =
    status === 'upcoming'
      ? [t.from, subscription.starts_at]
      : status === 'running'
        ? [t.until, subscription.ends_at]
        : status === 'cancelled' && cancelledAt !== null
          ? [t.cancelled, cancelledAt]
          : [t.ended, subscription.ends_at]
  return (
    <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 text-sm">
      <dt className="text-ink-3">{label}</dt>
      <dd>
        {format.time(time)} · <TimeAhead time={time} />
      </dd>
      {subscription.groups.length > 0 && (
        <>
          <dt className="text-ink-3">{t.groups}</dt>
          <dd className="min-w-0">{format.list(subscription.groups)}</dd>
        </>
      )}
    </dl>
  )
}

function QuotaWindow(props: {
  readonly quota: SubscriptionView['quotas'][number]
  readonly isRunning: boolean
}): ReactNode {
  const t = useTexts('billing').subscriptions
  const format = useFormat()
  const nowMs = useNow()
  const { quota, isRunning } = props
  const name = t.window(t.windows[quota.window])
  const text = t.used(format.money(quota.used), format.money(quota.limit))
  return (
    <li>
      <NamedMeter name={name} text={text} share={shareOf(quota.used, quota.limit)} />
      {isRunning && (
        <div className="mt-1 flex justify-between gap-x-3 text-sm text-ink-3">
          {quota.resets_at === null ? (
            <span>{quota.window === 'term' ? t.neverResets : t.opens}</span>
          ) : (
            <span>
              {t.resets(format.relative(quota.resets_at, nowMs))} ·{' '}
              <span className="whitespace-nowrap">{format.time(quota.resets_at)}</span>
            </span>
          )}
          <span className="ml-auto whitespace-nowrap">{t.left(format.money(leftOf(quota.limit, quota.used)))}</span>
        </div>
      )}
    </li>
  )
}

/** Whether a subscription is renewed from the balance, and for how much; nothing where its plan is not sold and it ends. */
function RenewalSwitch({ subscription }: { readonly subscription: SubscriptionView }): ReactNode {
  const t = useTexts('billing').subscriptions.renewal
  const format = useFormat()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (upTo: string | null) => setRenewal(subscription.id, upTo),
    onSettled: () => queries.invalidateQueries({ queryKey: ['subscriptions'] }),
  })
  const { renews_up_to: upTo, plan_price: price } = subscription
  if (price === null && upTo === null) return null
  const isDearer = upTo !== null && price !== null && !isZero(leftOf(price, upTo))
  const hint =
    price === null
      ? t.gone
      : isDearer
        ? t.dearer(format.money(price))
        : upTo === null
          ? t.off(format.money(price))
          : t.on(format.money(upTo))
  return (
    <div className="mt-3 grid gap-2 border-t border-line pt-2">
      <Switch
        label={t.label}
        hint={hint}
        checked={upTo !== null}
        isDisabled={change.isPending}
        // The error is shown below.
        onChecked={(isOn) => change.mutateAsync(isOn ? price : null).catch(() => null)}
      />
      {isDearer && (
        <div>
          <Button isBusy={change.isPending} onClick={() => change.mutate(price)}>
            {t.agree(format.money(price))}
          </Button>
        </div>
      )}
      {change.error !== null && <ErrorState error={change.error} />}
    </div>
  )
}
