/** Every workload by its name, in the order of a full run. */
import type { Workload, WorkloadName } from '../workload.ts'
import { BESIDE_NGINX_WORKLOADS } from './beside-nginx.ts'
import { TRANSLATED_WORKLOADS } from './translated.ts'

export const WORKLOADS: Readonly<Record<WorkloadName, Workload>> = {
  ...BESIDE_NGINX_WORKLOADS,
  ...TRANSLATED_WORKLOADS,
}
