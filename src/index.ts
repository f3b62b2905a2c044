// The library: what a program needs to use benchdog's hands, or its whole agent. Start with `openGate`.

export type { Agent, Checks, Limits, TurnContext } from './agent/agent.ts';
export type { AgentEvent, DoneEvent, ExitCode } from './agent/event.ts';
export type { Prompt } from './agent/loop.ts';
export { runTurn } from './agent/loop.ts';
export type { Session, StoredImage } from './agent/record.ts';
export { memorySession } from './agent/record.ts';
export { openSession } from './agent/session.ts';
export type { ErrorCode } from './base/error.ts';
export { errorCodes, ToolError } from './base/error.ts';
export type { Change, ChangeSet, ChangeSummary } from './change/change.ts';
// Changes: plain data, committed whole or not at all, journaled.
export { commit } from './change/commit.ts';
export { renderDiff, summarize } from './change/diff.ts';
export type { Journal, Origin } from './change/journal.ts';
export { openJournal } from './change/recover.ts';
export type { Dialect, ToolLimits } from './dialects.ts';
export { chooseDialect, dialects } from './dialects.ts';
export type { Answer, ApprovalRequest, Approver, Rehearsed } from './gate/approver.ts';
export { nobody } from './gate/approver.ts';
export type {
  CallOptions,
  CallRequest,
  Gate,
  GateOptions,
  Judged,
  OfferedTool,
  ToolResult,
} from './gate/gateway.ts';
export { createGate } from './gate/gateway.ts';
export type { Grant, Grants, GrantTerms } from './gate/grants.ts';
export type { Permission } from './gate/permission.ts';
export { rowsOf } from './gate/permission.ts';
export type { GatePolicy, PolicyOptions } from './gate/policy.ts';
export { createPolicy } from './gate/policy.ts';
export type { Row } from './gate/rule.ts';
export type { Decision, JudgedCall, JudgedEffect, Policy, Verdict } from './gate/verdict.ts';
export type { Model } from './model/model.ts';
export type { ModelChoice } from './model/providers.ts';
export { openModel } from './model/providers.ts';
export type { ScriptedReply } from './model/scripted.ts';
export { scriptedModel } from './model/scripted.ts';
export type { OpenAgentOptions } from './open-agent.ts';
// The agent.
export { openAgent } from './open-agent.ts';
// A workspace, a dialect, rules and a gate in front of them.
export { openGate } from './open-gate.ts';
export type { OpenedGate, OpenGateOptions } from './open-gate-options.ts';
export type { Registry } from './tool/registry.ts';
export { createRegistry } from './tool/registry.ts';
export type { Slot, ToolState } from './tool/state.ts';
export { createToolState, slot } from './tool/state.ts';
export type { Call, Effect, Plan, Progress, Tool, ToolContext, ToolDefinition } from './tool/tool.ts';
// Tools of your own.
export { defineTool } from './tool/tool.ts';
export type { Workspace, WorkspaceOptions } from './workspace/workspace.ts';
export { openWorkspace } from './workspace/workspace.ts';
