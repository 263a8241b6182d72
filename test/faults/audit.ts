import { auditAnswers } from './audit-answers.ts'
import { auditCaps } from './audit-caps.ts'
import { auditFunding } from './audit-funding.ts'
import { auditLimits } from './audit-limits.ts'
import { auditMoney } from './audit-money.ts'
import { auditServed } from './audit-served.ts'
import type { Evidence } from './evidence.ts'
import { grouped } from './grouped.ts'

/** Everything that must hold of a load that has come to rest; one sentence for each kind of disagreement. */
export function audit(evidence: Evidence): string[] {
  return grouped([
    ...auditAnswers(evidence),
    ...auditMoney(evidence),
    ...auditFunding(evidence),
    ...auditCaps(evidence),
    ...auditLimits(evidence),
    ...auditServed(evidence),
  ])
}
