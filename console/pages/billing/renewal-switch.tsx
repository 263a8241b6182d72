import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SubscriptionView } from '../../../src/contract/billing.ts'
import { setRenewal } from '../../api/billing.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { isZero, leftOf } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Switch } from '../../ui/switch.tsx'

/** Whether a subscription is renewed from the balance, and for how much; nothing where its plan is not sold and it ends. */
export function RenewalSwitch({ subscription }: { readonly subscription: SubscriptionView }): ReactNode {
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
