import type { UsageRecordView } from '../../contract/usage.ts'
import { saidToCaller } from '../../causes/english.ts'
import { readFacts } from '../../core/fault-facts.ts'
import { plainMessage } from '../../core/plain-fault.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'

/** Why a request was refused or failed, as far as its record says. */
export function faultView({
  id,
  fault,
  faultFacts,
}: Pick<UsageRecord, 'id' | 'fault' | 'faultFacts'>): Pick<
  UsageRecordView,
  'fault' | 'detail' | 'fault_facts' | 'client_received'
> {
  if (fault === null) return { fault, detail: null, fault_facts: null, client_received: null }
  const plain = plainMessage(fault)
  const facts = readFacts(fault, faultFacts)
  const said = facts === null ? null : saidToCaller(fault, facts, plain)
  return {
    fault,
    detail: said ?? plain,
    fault_facts: facts === null ? null : wireFacts(facts),
    client_received: said === null || fault !== 'internal' ? said : `${said} Request ID: ${id}`,
  }
}

/** Facts as they go over the wire: the same names and values. */
export function wireFacts(facts: object): NonNullable<UsageRecordView['fault_facts']> {
  return { ...facts }
}
