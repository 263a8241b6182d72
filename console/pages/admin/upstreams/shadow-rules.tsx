import type { ReactNode } from 'react'
import type { UpstreamView } from '../../../../src/contract/upstreams.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { RelativeTime } from '../../../ui/relative-time.tsx'

type Rule = UpstreamView['shadow_rules'][number]

/** The rules that are not enforced, with how often each would have kept a request away. */
export function ShadowRules({ upstream }: { readonly upstream: UpstreamView }): ReactNode {
  return (
    <ul>
      {upstream.shadow_rules.map((rule) => (
        <RuleRow
          key={[rule.rule, rule.credential, rule.model, rule.upstream_model].join('\n')}
          rule={rule}
          caps={upstream.spend_caps}
        />
      ))}
    </ul>
  )
}

function RuleRow({ rule, caps }: { readonly rule: Rule; readonly caps: UpstreamView['spend_caps'] }): ReactNode {
  const t = useTexts('upstreams')
  const format = useFormat()
  const { credential, model, upstream_model: at, refusals, last_refusal_at: last } = rule
  const isHere = (cap: (typeof caps)[number]) => cap.model === model && cap.upstream_model === at
  const cap = rule.rule === 'spend_per_day' && credential === null ? caps.find(isHere) : undefined
  return (
    <li className="border-t border-line py-2.5 first:border-t-0 first:pt-0 last:pb-0">
      <p className="[overflow-wrap:anywhere]">
        <span className="font-medium">{t.shadow.rules[rule.rule]}</span> · {placeOf(rule, t.shadow)}
      </p>
      <p className="text-sm text-ink-2">
        {cap !== undefined &&
          `${t.columns.spent} ${t.ofLimit(format.money(cap.spent_today), format.money(cap.spend_per_day))} · `}
        {t.shadow.refusals(refusals, format.number(refusals))}
        {last !== null && (
          <>
            {' · '}
            <RelativeTime time={last} text={t.shadow.last} />
          </>
        )}
      </p>
    </li>
  )
}

interface PlaceTexts {
  readonly upstream: string
  credential(name: string): string
  model(name: string, at: string): string
}

function placeOf({ credential, model, upstream_model: at }: Rule, t: PlaceTexts): string {
  if (credential !== null) return t.credential(credential)
  return model === null ? t.upstream : t.model(model, at ?? model)
}
