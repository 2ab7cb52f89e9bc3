//! `unmold mcp`.

use clap::{Args as ClapArgs, ValueHint};
use std::path::PathBuf;

pub const MCP_EXAMPLES: &str = "\
Examples:
  # what an agent's program starts: tools over the pages of two folders
  unmold mcp site/ today/
  # in the configuration of such a program
  {\"mcpServers\": {\"unmold\": {
    \"command\": \"unmold\", \"args\": [\"mcp\", \"/data/site\"]}}}

Tools: folders, pages, learn, extract, clean, records, declared, check and
changes. They read the inputs named here, nothing else, and write nothing.";

#[derive(Debug, ClapArgs)]
pub struct McpArgs {
    /// What agents may read: folders, archives, tables or files. Each is known to them by the end
    /// of its path.
    #[arg(required = true, value_name = "INPUT", value_hint = ValueHint::AnyPath)]
    pub inputs: Vec<PathBuf>,
    /// Read no more than this many pages of each input.
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
}
