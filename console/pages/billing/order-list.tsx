import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { OrderView } from '../../../src/contract/payments.ts'
import { ordersQuery } from '../../api/payments.ts'
import { useMay } from '../../api/use-may.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { DownloadMenu } from '../../ui/download-menu.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Section } from '../../ui/section.tsx'
import { purchaseOf } from './purchase-of.ts'

const RefundDialog = lazyPart(() => import('./refund-dialog.tsx'))

/** Orders, newest first. Nothing is shown where there are none, or when they cannot be read: the page lives without. */
export function OrderList({ whose }: { readonly whose: 'own' | 'all' }): ReactNode {
  const t = useTexts('payments').orders
  const orders = useInfiniteQuery(ordersQuery(whose))
  const mayRefund = useMay('books') && whose === 'all'
  const [refunded, setRefunded] = useState<OrderView | null>(null)
  const list = orders.data?.pages.flatMap(({ data }) => data) ?? []
  if (list.length === 0) return null
  return (
    <Section
      title={t.title}
      lead={whose === 'own' ? t.lead : t.leadOfAll}
      actions={whose === 'all' && <DownloadMenu path="/api/orders" query={{ account_id: '*' }} isQuiet />}
    >
      <ul>
        {list.map((order) => (
          <OrderLine key={order.id} order={order} onRefund={mayRefund ? () => setRefunded(order) : null} />
        ))}
      </ul>
      {orders.hasNextPage && (
        <div>
          <Button isBusy={orders.isFetchingNextPage} onClick={() => void orders.fetchNextPage()}>
            {t.more}
          </Button>
        </div>
      )}
      {refunded !== null && <RefundDialog order={refunded} onClose={() => setRefunded(null)} />}
    </Section>
  )
}

function OrderLine({ order, onRefund }: { readonly order: OrderView; onRefund: (() => void) | null }): ReactNode {
  const texts = useTexts('payments')
  const t = texts.orders
  const format = useFormat()
  const isRefundable = order.state === 'paid' || order.state === 'partly_refunded'
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line py-2.5 first:border-t-0 first:pt-0">
      <span className="min-w-0 flex-1 basis-64">
        <span className="block font-medium [overflow-wrap:anywhere]">{purchaseOf(order, t, format)}</span>
        <span className="block text-sm text-ink-3 [overflow-wrap:anywhere]">
          {order.account_email === null ? '' : `${order.account_email} · `}
          {format.time(order.created_at)}
        </span>
        {order.trouble !== null && <span className="block text-sm text-warn">{t.troubles[order.trouble]}</span>}
      </span>
      <Badge tone={TONES[order.state]}>{t.states[order.state]}</Badge>
      {order.checkout_url !== null && onRefund === null && (
        <a href={order.checkout_url} className={buttonClass('secondary')}>
          {t.pay}
        </a>
      )}
      {order.invoice_url !== null && (
        <a href={order.invoice_url} target="_blank" rel="noreferrer" className={buttonClass('quiet')}>
          {t.invoice}
        </a>
      )}
      {isRefundable && onRefund !== null && <Button onClick={onRefund}>{texts.refund.action}</Button>}
    </li>
  )
}

const TONES: Readonly<Record<OrderView['state'], Tone>> = {
  open: 'neutral',
  paid: 'good',
  cancelled: 'neutral',
  held: 'warn',
  partly_refunded: 'accent',
  refunded: 'neutral',
}
