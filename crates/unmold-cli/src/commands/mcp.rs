//! `unmold mcp`: tools for agents, on standard input and output.

use crate::{
    args::McpArgs,
    exit::{Failure, Outcome},
};
use anyhow::{Context, Result};
use unmold_io::LoadSettings;
use unmold_mcp::{Folders, Server};

pub fn run(args: &McpArgs) -> Result<Outcome> {
    if args.inputs.iter().any(|input| input.as_os_str() == "-") {
        let reason = "mcp takes no pages from standard input: the protocol is spoken there";
        return Err(Failure::Usage(reason.to_owned()).into());
    }
    let mut settings = LoadSettings::default();
    if let Some(limit) = args.limit {
        settings = settings.limit(limit);
    }
    let folders = Folders::new(&args.inputs, &settings)
        .map_err(|error| Failure::Nothing(error.to_string()))?;
    Server::new(folders)
        .run()
        .context("the program that asks speaks another protocol")?;
    Ok(Outcome::Done)
}
