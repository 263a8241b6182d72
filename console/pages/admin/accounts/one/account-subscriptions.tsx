import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import type { SubscriptionView } from '../../../../../src/contract/billing.ts'
import { createIdempotencyKey } from '../../../../api/idempotency-key.ts'
import {
  cancelSubscription,
  extendSubscription,
  renewSubscription,
  subscriptionsOfQuery,
} from '../../../../api/plan-admin.ts'
import { useMay } from '../../../../api/use-may.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { useFormat } from '../../../../format/use-format.ts'
import { FormDialog } from '../../../../forms/form-dialog.tsx'
import { NumberField } from '../../../../forms/number-field.tsx'
import { TextField } from '../../../../forms/text-field.tsx'
import { countOf } from '../../../../forms/typed-numbers.ts'
import { Badge, type Tone } from '../../../../ui/badge.tsx'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../../ui/dialog.tsx'
import { DownloadMenu } from '../../../../ui/download-menu.tsx'
import { QueryView } from '../../../../ui/query-view.tsx'
import { Section } from '../../../../ui/section.tsx'
import { SkeletonLines } from '../../../../ui/skeleton.tsx'
import { useChange } from '../../../../forms/use-change.ts'
import { useForm } from '../../../../forms/use-form.ts'

const TONES: Readonly<Record<SubscriptionView['status'], Tone>> = {
  running: 'good',
  upcoming: 'accent',
  ended: 'neutral',
  cancelled: 'neutral',
}

/** The subscriptions of one account, which an admin renews and cancels. */
export default function AccountSubscriptions({ account }: { readonly account: AccountView }): ReactNode {
  const accountId = account.id
  const t = useTexts('plans').subscriptions
  const subscriptions = useQuery(subscriptionsOfQuery(accountId))
  return (
    <Section
      title={t.title}
      actions={<DownloadMenu path="/api/subscriptions" query={{ account_id: accountId }} isQuiet />}
    >
      <QueryView query={subscriptions} skeleton={<SkeletonLines />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-ink-2">{t.none}</p>
          ) : (
            <ul>
              {data.map((each) => (
                <OneSubscription key={each.id} subscription={each} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </Section>
  )
}

function OneSubscription({ subscription }: { readonly subscription: SubscriptionView }): ReactNode {
  const t = useTexts('plans')
  const s = t.subscriptions
  const format = useFormat()
  const { id, plan, status, quotas } = subscription
  const [isAsked, setAsked] = useState(false)
  const [isExtending, setExtending] = useState(false)
  // The same until it was done or refused: where an answer is lost, the next press renews nothing twice.
  const [renewal] = useState(() => createIdempotencyKey())
  const change = useChange({
    send: (what: 'renew' | 'cancel') =>
      what === 'renew' ? renewSubscription(id, renewal.current()) : cancelSubscription(id),
    done: (_saved, what) => (what === 'renew' ? s.renewed(plan) : s.cancelled(plan)),
    onSettled: (error) => {
      if (error === null) renewal.done()
      else renewal.failed(error)
      setAsked(false)
    },
    refreshes: ['accounts', 'plans', 'subscriptions'],
  })
  const mayChange = useMay('books')
  const isLive = status === 'running' || status === 'upcoming'
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line py-2 first:border-t-0 first:pt-0">
      <span className="min-w-0 flex-1 basis-56">
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium [overflow-wrap:anywhere]">{plan}</span>
          <Badge tone={TONES[status]} hasDot>
            {s.statuses[status]}
          </Badge>
        </span>
        <span className="block text-sm text-ink-3">
          {[
            s.until(format.time(subscription.cancelled_at ?? subscription.ends_at)),
            ...quotas.map(({ window, used, limit }) =>
              t.quota(`${format.money(used)} / ${format.money(limit)}`, t.windows[window]),
            ),
          ].map((part, index) => (
            <Fragment key={part}>
              {index > 0 && ' · '}
              <span className="inline-block">{part}</span>
            </Fragment>
          ))}
        </span>
      </span>
      {isLive && mayChange && (
        <span className="flex flex-wrap gap-2">
          <Button isBusy={change.isPending} aria-label={`${s.renew} ${plan}`} onClick={() => change.mutate('renew')}>
            {s.renew}
          </Button>
          <Button aria-label={`${s.extend} ${plan}`} onClick={() => setExtending(true)}>
            {s.extend}
          </Button>
          <Button aria-label={`${s.cancel} ${plan}`} onClick={() => setAsked(true)}>
            {s.cancel}
          </Button>
        </span>
      )}
      {isExtending && <ExtendSubscription subscription={subscription} onClose={() => setExtending(false)} />}
      <ConfirmDialog
        isOpen={isAsked}
        title={s.cancelling.title(plan)}
        action={s.cancel}
        cancel={s.cancelling.keep}
        isDangerous
        isBusy={change.isPending}
        onConfirm={() => change.mutate('cancel')}
        onClose={() => setAsked(false)}
      >
        {s.cancelling.text}
      </ConfirmDialog>
    </li>
  )
}

const DAYS = { least: 1, most: 36_500 } as const

/** Lets a subscription run for some days more, without a charge and with a reason for the audit. */
function ExtendSubscription(props: { readonly subscription: SubscriptionView; onClose(): void }): ReactNode {
  const texts = useTexts('plans').subscriptions
  const t = texts.extending
  const format = useFormat()
  const { subscription, onClose } = props
  const form = useForm({
    initial: { days: '', reason: '' },
    validate: ({ days, reason }) => ({
      days: countOf(days, DAYS) === null && 'daysForm',
      reason: reason.trim() === '' && 'required',
    }),
    messages: t,
    send: ({ days, reason }, { key }) =>
      extendSubscription(subscription.id, { days: countOf(days, DAYS) ?? 0, reason: reason.trim() }, key),
    done: ({ ends_at: endsAt }) => t.done(format.time(endsAt)),
    refreshes: ['accounts', 'plans', 'subscriptions'],
    onClose,
  })
  return (
    <FormDialog
      form={form}
      size="small"
      title={t.title(subscription.plan)}
      description={t.lead}
      action={texts.extend}
      onClose={onClose}
    >
      <NumberField of="count" {...form.text('days', t.days)} autoFocus />
      <TextField {...form.text('reason', t.reason)} hint={t.reasonHint} maxLength={400} />
    </FormDialog>
  )
}
