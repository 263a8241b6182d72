import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../src/contract/usage.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Explained } from '../ui/tooltip.tsx'

const CostFormula = lazyPart(() => import('./cost-formula.tsx'))

/** What a request cost, which says on the pointer, the focus or a press how it came about. `known`: its record, if it is there. */
export function ExplainedCost(props: {
  readonly requestId: string
  readonly known?: UsageRecordView | undefined
  readonly children: ReactNode
}): ReactNode {
  return <Explained text={<CostFormula requestId={props.requestId} known={props.known} />}>{props.children}</Explained>
}
