export type { ErrorCode } from './base/error.ts';
export { errorCodes, ToolError } from './base/error.ts';
export type { Tool, ToolDefinition } from './tool/tool.ts';
export { defineTool } from './tool/tool.ts';
